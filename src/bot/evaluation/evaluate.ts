// Evaluates one merge request: decides on its present state, acts, and repeats until nothing is left to do (DESIGN §2.3).
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Journal } from '../../journal/types.ts'
import type { JobQueue, JobResult, RunningJob } from '../../queue/types.ts'
import { patternLimitIn } from '../../rules/engine/conditions/pattern-limit.ts'
import { emptyMemory, staysPending } from '../../rules/engine/update-memory.ts'
import { showsMergeRequestPipelines } from '../../rules/facts/definition/select-pipeline.ts'
import { answersOfOtherVersions } from '../../rules/facts/reading/evaluated-version.ts'
import type { DecideInput, Decision } from '../../rules/types.ts'
import { describeSpan, inSpan, linkSpan } from '../../tracing/span.ts'
import { noteDependencies } from '../dependencies/dependants.ts'
import {
  type MergedElsewhereOptions,
  reportLostMerge,
  reportMergedElsewhere,
} from '../notifications/merged-elsewhere.ts'
import { reportReplaced } from '../notifications/replaced-statuses.ts'
import { logName } from '../reporting/log-names.ts'
import { act } from './act.ts'
import { type DecideOptions, decideOrWithdraw, isStillDecided } from './decide-in-force.ts'
import { isBeingRebased } from './decide-input.ts'
import type { HeavyProjects } from './heavy-projects.ts'
import type { MergeRequestJob } from './merge-request-job.ts'
import { nextRun, oldestUnseen, shortestWaitMs, waitsAfter } from './next-run.ts'
import { deliveryIds, recordDecision, recordWait } from './record-decision.ts'
import { memoryCheckpoint } from './save-memory.ts'
import { type ScheduledEvaluationJob, scheduleEvaluation } from './scheduled-evaluation.ts'

export interface EvaluateOptions extends Omit<DecideOptions, 'journal'> {
  journal: Journal
  notify: MergedElsewhereOptions['notify']
  scheduledEvaluations: JobQueue<ScheduledEvaluationJob>
  heavyProjects: HeavyProjects
}

// One more than rules need that do not undo each other; the loop guard stops those that do.
const maxRounds = 5
// Deliveries named in the log; the decision names all.
const mostNamed = 20

/** The handler of the merge-request queue. */
export function evaluate(options: EvaluateOptions, job: RunningJob<MergeRequestJob>): Promise<JobResult> {
  const { project, iid } = job.data
  const attributes = { 'bellhop.project': project, 'bellhop.iid': iid }
  return inSpan('evaluation', { attributes }, async (span) => {
    const result = await evaluateUntilDone(options, job)
    span.setAttribute('bellhop.outcome', result.outcome)
    return result
  })
}

async function evaluateUntilDone(options: EvaluateOptions, job: RunningJob<MergeRequestJob>): Promise<JobResult> {
  const { data: mergeRequest, addedAt, claim } = job
  const { journal, now } = options
  const delayMs = options.heavyProjects.waitMs(mergeRequest)
  if (delayMs > 0) return { outcome: 'later', delayMs, reason: 'patterns of the project exceed their budget' }
  const [pendingEvents, before, name] = await Promise.all([
    journal.pendingEvents(mergeRequest),
    journal.memory(mergeRequest),
    logName(journal, mergeRequest),
  ])
  if (await isBeingRebased(journal, mergeRequest, before, now()))
    return { outcome: 'later', delayMs: shortestWaitMs, reason: 'the merge queue is rebasing it' }
  const log = options.log.child({
    mergeRequest: name,
    deliveries: deliveryIds(pendingEvents).slice(0, mostNamed),
  })
  if (!job.isFirst) await reportLostMerge({ ...options, log }, mergeRequest)
  let memory = before ?? emptyMemory()
  const waits = waitsAfter(memory, pendingEvents, now())
  const unseenSince = oldestUnseen(memory, pendingEvents)
  const evaluation = randomUUID()
  linkSpan(pendingEvents.map(({ trace }) => trace))
  describeSpan({ 'bellhop.evaluation': evaluation })
  for (let round = 1; round <= maxRounds; round++) {
    const started = now()
    const decided = await decideOrWithdraw(options, job, { memory, pendingEvents })
    const awaitsMore = await noteFindings(journal, decided.input)
    logDecision(log, decided.decision, round)
    if (patternLimitIn(decided.decision) !== undefined) options.heavyProjects.add(mergeRequest.project)
    const checkpoint = memoryCheckpoint(journal, job, decided, waits)
    const acted = await act(decided.decision, {
      ...{ checkpoint, claim, client: options.sender, now, log },
      isStillDecided: (call) => isStillDecided(options, decided, call),
    })
    const decision: Decision = { ...decided.decision, responses: acted.responses }
    memory = await checkpoint(acted.responses)
    await reportReplaced(options, decided.input, decision)
    if (acted.mergedInto !== undefined)
      await reportMergedElsewhere({ ...options, log }, mergeRequest, {
        target: acted.mergedInto,
        evaluated: decision.target,
      })
    // A later round without calls only confirms the one before.
    if (round === 1 || decision.calls.length > 0) {
      const circumstances = { pendingEvents, evaluation, tookMs: now() - started }
      const unseen = round === 1 && unseenSince !== undefined ? { unseenSince } : {}
      await recordDecision(options, decided.input, decision, { ...circumstances, ...unseen }, log)
    }
    if (decision.changesAt !== undefined)
      await scheduleEvaluation(options.scheduledEvaluations, mergeRequest, decision.changesAt, now())
    // The next attempt reads what became of an uncertain call.
    if (acted.stopped !== undefined) throw acted.stopped.by
    const waitedMs = now() - Math.max(addedAt, waits?.since ?? 0)
    const next = nextRun(decision, memory, { waitedMs, merged: acted.merged })
    if (next === 'evaluate_again' || awaitsMore) continue
    // Also of a round that is not recorded: it sees what the calls brought about, such as an entry in a merge queue.
    await recordWait(options, decided.input, decision)
    const last = pendingEvents.at(-1)
    const isOver =
      next.outcome === 'done' || (!staysPending(decision, memory) && answersOfOtherVersions(decided.input).length === 0)
    if (isOver && last !== undefined) await journal.removePendingEvents(mergeRequest, last.seq)
    return next
  }
  const reason = `${maxRounds} decisions in a row sent calls: do two rules undo each other?`
  return { outcome: 'later', delayMs: shortestWaitMs, reason }
}

/** Notes for later events what was read. True where it must be read once more. Throws JournalUnavailable. */
async function noteFindings(journal: Journal, input: DecideInput): Promise<boolean> {
  await markMergeRequestPipelines(journal, input)
  return noteDependencies(journal, input)
}

/** Not by intake: a pipeline's hook does not tell the merge request's own from its merge train's. */
async function markMergeRequestPipelines(journal: Journal, { mergeRequest, project, answers }: DecideInput) {
  if (!project.mergeRequestPipelines && showsMergeRequestPipelines(answers))
    await journal.markProject(mergeRequest.project, 'merge request pipelines', 'seen')
}

function logDecision(log: Logger, { settled, rules, head, calls }: Decision, round: number): void {
  if (settled !== undefined) {
    const { call, outcome, detail } = settled
    const line = { event: 'lost_response_reconciled', action: call.action, outcome, rules: call.rules }
    log[outcome === 'unknown' ? 'warn' : 'info'](line, detail)
  }
  for (const { became, name, file, line } of rules)
    if (became) log.info({ event: 'rule_matched', rule: name, file, line }, `rule matched: ${name}`)
  log.info({ event: 'evaluated', round, head, calls: calls.length }, 'evaluated')
}
