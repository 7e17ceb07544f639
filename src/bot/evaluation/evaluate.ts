// Evaluates one merge request: decides on its present state, acts, and repeats until nothing is left to do.
import { randomUUID } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Logger } from 'pino'
import type { Journal, LoadedMergeRequest } from '../../journal/journal.ts'
import type { PendingEvent } from '../../journal/types.ts'
import type { JobHandler, JobResult, RunningJob } from '../../queue/types.ts'
import { patternLimitIn } from '../../rules/engine/conditions/evaluate-rules.ts'
import { emptyMemory, staysPending } from '../../rules/engine/update-memory.ts'
import { showsMergeRequestPipelines } from '../../rules/facts/definition/select-pipeline.ts'
import { refName } from '../../rules/facts/definition/subject-ref.ts'
import { answersOfOtherVersions } from '../../rules/facts/reading/fact-view.ts'
import { createPatternBudgets, type PatternBudgets } from '../../rules/language/patterns/pattern-budget.ts'
import type { CallResponse, DecideInput, Decision, Memory, MergeRequestRef } from '../../rules/types.ts'
import { describeSpan, inSpan, linkSpan } from '../../tracing/span.ts'
import type { Context } from '../context.ts'
import { storeDependants } from '../dependencies/dependants.ts'
import { reportLostMerge, reportMergedElsewhere, reportReplaced } from '../notifications/merged-elsewhere.ts'
import type { MergeRequestJob } from '../queues.ts'
import { act } from './act.ts'
import { enqueueChangedRules } from './changed-rules.ts'
import { decideOrWithdraw, isStillDecided } from './decide-in-force.ts'
import { evaluationMarks, isBeingRebased, pipelinesMark } from './decide-input.ts'
import { reportPastRules } from './past-rules.ts'
import { isHeldBack } from './paused-projects.ts'
import { deliveryIds, recordDecision, remembered, waitsOf, withoutReplays } from './record-decision.ts'

// One more than rules need that do not undo each other; the loop guard stops those that do.
const maxRounds = 5
// Deliveries named in the log; the decision names all.
const mostNamed = 20

/** The handler of the merge-request queue. */
export function createEvaluation(context: Context): JobHandler<MergeRequestJob> {
  const heavyProjects = createHeavyProjects(context.now)
  return (job) => {
    const { project, iid } = job.data
    const attributes = { 'bellhop.project': project, 'bellhop.iid': iid }
    return inSpan('evaluation', { attributes }, async (span) => {
      const result = await evaluateUntilDone(context, heavyProjects, job)
      span.setAttribute('bellhop.outcome', result.outcome)
      return result
    })
  }
}

/** One decision of an evaluation. */
interface Round {
  /** The id of the evaluation. */
  id: string
  /** From 1. */
  round: number
  loaded: LoadedMergeRequest
  waits: Memory['waits']
  unseenSince: number | undefined
  /** One for all rounds. */
  budgets: PatternBudgets
}

async function evaluateUntilDone(
  given: Context,
  heavyProjects: HeavyProjects,
  job: RunningJob<MergeRequestJob>,
): Promise<JobResult> {
  const { data: mergeRequest } = job
  const { journal, queues, now } = given
  const delayMs = heavyProjects.waitMs(mergeRequest)
  if (delayMs > 0) return { outcome: 'later', delayMs, reason: 'patterns of the project exceed their budget' }
  let loaded = await journal.load(mergeRequest, evaluationMarks)
  if (await isHeldBack(given, queues.mergeRequests, mergeRequest, loaded.marks)) return { outcome: 'done' }
  const { pendingEvents, name } = loaded
  if (await isBeingRebased(journal, mergeRequest, loaded.memory, now()))
    return { outcome: 'later', delayMs: shortestWaitMs, reason: 'the merge queue is rebasing it' }
  const log = given.log.child({
    mergeRequest: refName({ ...mergeRequest, path: name.path }),
    deliveries: deliveryIds(pendingEvents).slice(0, mostNamed),
  })
  const context = { ...given, log }
  if (!job.isFirst) await reportLostMerge(context, mergeRequest)
  const memory = loaded.memory ?? emptyMemory()
  const waits = waitedSince(memory, pendingEvents, now())
  const unseenSince = oldestUnseen(memory, pendingEvents)
  const id = randomUUID()
  const budgets = createPatternBudgets()
  linkSpan(pendingEvents.map(({ trace }) => trace))
  describeSpan({ 'bellhop.evaluation': id })
  for (let round = 1; round <= maxRounds; round++) {
    // What the round before stored, and the rules and pushes as they are now.
    if (round > 1) loaded = { ...(await journal.load(mergeRequest, evaluationMarks)), pendingEvents }
    const next = await evaluateOnce(context, heavyProjects, job, { id, round, loaded, waits, unseenSince, budgets })
    if (next !== 'evaluate_again') return next
  }
  const reason = `${maxRounds} decisions in a row sent calls: do two rules undo each other?`
  return { outcome: 'later', delayMs: shortestWaitMs, reason }
}

/** One decision with its calls, recorded with all that follows from it. */
async function evaluateOnce(
  context: Context,
  heavyProjects: HeavyProjects,
  job: RunningJob<MergeRequestJob>,
  { id, round, loaded, waits, unseenSince, budgets }: Round,
): Promise<ReturnType<typeof nextRun>> {
  const { data: mergeRequest, addedAt, claim } = job
  const { journal, now, log } = context
  const { pendingEvents } = loaded
  const started = now()
  const memory = { ...(loaded.memory ?? emptyMemory()), pushes: loaded.pushes }
  const decided = await decideOrWithdraw(context, job, { ...loaded, memory, budgets })
  const { input } = decided
  const readsMore = await storeFindings(journal, input)
  logDecision(log, decided.decision, round)
  if (patternLimitIn(decided.decision) !== undefined) heavyProjects.add(mergeRequest.project)
  const checkpoint = async (responses: readonly CallResponse[]) => {
    await claim()
    await journal.mergeRequests.save(mergeRequest, remembered(decided, responses, waits))
  }
  const acted = await act(context, decided.decision, {
    checkpoint,
    claim,
    isStillDecided: (call) => isStillDecided(context, decided, { call, stored: loaded.ruleFiles }),
  })
  const decision: Decision = { ...decided.decision, responses: acted.responses }
  const change = remembered(decided, acted.responses, waits, acted.merged)
  const waitedMs = now() - Math.max(addedAt, waits?.since ?? 0)
  const next = readsMore ? 'evaluate_again' : nextRun(decision, change.memory, { waitedMs, merged: acted.merged })
  // All calls were made, and no further round follows.
  const isComplete = acted.stopped === undefined && next !== 'evaluate_again'
  const isProcessed =
    isComplete &&
    (next.outcome === 'done' || (!staysPending(decision, change.memory) && answersOfOtherVersions(input).length === 0))
  const result = {
    ...change,
    processed: isProcessed ? pendingEvents : [],
    waits: isComplete ? waitsOf(input, decision, { before: loaded.waits, now: now() }) : undefined,
  }
  if (round === 1) await enqueueChangedRules(context, input, pendingEvents)
  if (!acted.merged) await reportPastRules(context, decided, loaded)
  await claim()
  // A later round without calls only confirms the one before.
  if (round === 1 || decision.calls.length > 0) {
    const oldest = round === 1 ? unseenSince : undefined
    const circumstances = { pendingEvents, evaluation: id, tookMs: now() - started, unseenSince: oldest }
    await recordDecision(context, input, decision, { ...circumstances, ...result })
  } else await journal.mergeRequests.save(mergeRequest, { ...result, changesAt: decision.changesAt ?? null })
  await reportReplaced(context, input, decision)
  if (acted.mergedInto !== undefined)
    await reportMergedElsewhere(context, mergeRequest, { target: acted.mergedInto, evaluated: decision.target })
  // The next attempt reads what became of an uncertain call.
  if (acted.stopped !== undefined) throw acted.stopped.by
  return next
}

/** Stores for later events what was read. True if it must be read once more. Throws JournalUnavailable. */
async function storeFindings(journal: Journal, input: DecideInput): Promise<boolean> {
  // Not by intake: a pipeline's hook does not tell the merge request's own from its merge train's.
  if (!input.project.mergeRequestPipelines && showsMergeRequestPipelines(input.answers))
    await journal.marks.write(input.mergeRequest.project, pipelinesMark, 'seen')
  return storeDependants(journal, input)
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

/** Between two evaluations of such a project. Each may hold up the process for some 50 ms. */
const APART_MS = 1_000
const FORGOTTEN_AFTER_MS = 60_000
const MOST_PROJECTS = 10_000

type HeavyProjects = ReturnType<typeof createHeavyProjects>

/** Counts per process. */
export function createHeavyProjects(now: () => number) {
  const heavy = new LRUCache<number, { last: number; turns: Map<number, number> }>({
    ...{ max: MOST_PROJECTS, ttl: FORGOTTEN_AFTER_MS, ttlResolution: 0, perf: { now } },
  })
  return {
    /** Patterns of the project exceeded their budget: for a minute it counts as heavy. */
    add(project: number): void {
      heavy.set(project, heavy.get(project) ?? { last: now(), turns: new Map() })
    },
    /** How long the evaluation must wait for its turn; 0 if it may run now, which uses up its turn. */
    waitMs({ project, iid }: MergeRequestRef): number {
      const found = heavy.get(project)
      if (found === undefined) return 0
      const known = found.turns.get(iid)
      const turn = known ?? Math.max(now(), found.last + APART_MS)
      if (known === undefined) found.last = turn
      if (turn > now()) found.turns.set(iid, turn)
      else found.turns.delete(iid)
      return Math.max(0, turn - now())
    },
  }
}

export const shortestWaitMs = 1_000
// A merge request that cannot be merged now is polled with growing delays, until an event arrives.
const longestWaitMs = 5 * 60_000

/** What follows from the outcomes of a decision; `merged`: a call of it merged the merge request. */
export function nextRun(
  decision: Decision,
  { pending }: Memory,
  { waitedMs, merged = false }: { waitedMs: number; merged?: boolean | undefined },
): 'evaluate_again' | JobResult {
  const has = (result: CallResponse['result']) => decision.responses.some((each) => each.result === result)
  if (has('moved')) return 'evaluate_again'
  if (has('not_now')) return wait(waitedMs, shortestWaitMs, decision.responses.at(-1)?.message ?? 'not_now')
  // The service sends a hook for the merge, and the sweep finds a merge whose hook was lost.
  if (merged) return { outcome: 'done' }
  if (decision.responses.some(changedFacts)) return 'evaluate_again'
  const { againInMs } = decision
  if (againInMs === undefined) return { outcome: 'done' }
  // This delay does not grow.
  if (pending !== undefined)
    return { outcome: 'later', delayMs: againInMs, reason: 'a call got no response: its effect is checked again' }
  return wait(waitedMs, againInMs, 'the service is still checking, or a rule waits for a while')
}

/** A call to the merge queue or to a chat changes no fact. */
const changedFacts = ({ call, result }: CallResponse) =>
  (result === 'done' || result === 'dropped') && call.to === 'service'

function wait(waitedMs: number, atLeastMs: number, reason: string): JobResult {
  const half = Math.round(waitedMs / 2)
  return { outcome: 'later', delayMs: Math.max(atLeastMs, Math.min(longestWaitMs, half)), reason }
}

/** A new event resets the delay: its job may have waited for days. */
export function waitedSince(memory: Memory, pendingEvents: PendingEvent[], now: number): Memory['waits'] {
  const newest = pendingEvents.at(-1)
  if (newest === undefined || newest.deliveryId === memory.waits?.delivery) return memory.waits
  return { since: now, delivery: newest.deliveryId }
}

/** When the oldest event was received that no evaluation has seen. */
export function oldestUnseen(memory: Memory, pendingEvents: PendingEvent[]): number | undefined {
  const seen = pendingEvents.findLastIndex(({ deliveryId }) => deliveryId === memory.waits?.delivery)
  const [first] = withoutReplays(pendingEvents.slice(seen + 1))
  return first === undefined ? undefined : Date.parse(first.event.at)
}
