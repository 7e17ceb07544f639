// Evaluate: decides about one merge request on its present state, acts, and repeats until nothing is left to do (DESIGN §2.3).
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import type { Journal, PendingEvent } from '../../journal/types.ts'
import type { JobHandler, JobQueue, JobResult, RunningJob } from '../../queue/types.ts'
import { isCallOf } from '../../rules/actions/definition/combined-update.ts'
import type { DecideInput } from '../../rules/engine/decide.ts'
import { asksAgain, emptyMemory, holdsAnything, keepsAnything, remember } from '../../rules/engine/update-memory.ts'
import { withActivity } from '../../rules/facts/activity.ts'
import { showsMergeRequestPipelines } from '../../rules/facts/definition/head-pipeline.ts'
import { isProject } from '../../rules/facts/definition/project-ref.ts'
import { boundSource } from '../../rules/facts/definition/sources.ts'
import { answersOfOtherVersions } from '../../rules/facts/reading/evaluated-version.ts'
import { knownBefore, withStable } from '../../rules/facts/reading/stable-facts.ts'
import type { Call, CallResponse, Decision, Memory, MergeRequestRef } from '../../rules/types.ts'
import type { FlowCounters } from '../reporting/counters.ts'
import { withoutKeyRedaction } from '../reporting/known-fields.ts'
import type { RuleFiles } from '../rule-files/rule-files.ts'
import type { RulesInForce } from '../rule-files/rules-in-force.ts'
import { act } from './act.ts'
import { withHistory } from './branch-history.ts'
import { type DecisionWithFacts, decideAgain, decideWithFacts, mergeRequestIn } from './fetch-facts.ts'
import { type MergeRequestJob, mergeRequestKey } from './merge-request-job.ts'
import type { NewRuleCounter } from './new-rule-counts.ts'
import type { PatternAllowance } from './pattern-allowance.ts'
import { deliveryIds, recordDecision, withoutReplays } from './record-decision.ts'
import { type ScheduledEvaluationJob, scheduleEvaluation } from './scheduled-evaluation.ts'
import { withdrawHeld } from './withdraw-held.ts'

export interface EvaluateOptions {
  client: Client
  journal: Journal
  ruleFiles: RuleFiles
  timers: JobQueue<ScheduledEvaluationJob>
  /** Called with rules just read: other open merge requests may have to be evaluated by them. */
  spreadRules: (project: number, rules: RulesInForce) => Promise<void>
  newRuleCounter: NewRuleCounter
  patterns: PatternAllowance
  self: () => Promise<{ id: number; username: string }>
  offLabel: string
  counting?: FlowCounters | undefined
  now: () => number
  log: Logger
}

// One more than any sound decision needed. The loop guard stops rules that undo each other.
const maxRounds = 5
// After as many failures the rules cannot be decided, so they do not support an earlier approval.
const attemptsBeforeWithdrawal = 3
// For the log; the decision names them all.
const mostNamed = 20
// A merge request that "cannot be merged now" is polled ever more slowly, until an event or a person changes something.
const shortestWaitMs = 1_000
const longestWaitMs = 5 * 60_000

/** The handler of the merge-request queue. */
export function createEvaluate(options: EvaluateOptions): JobHandler<MergeRequestJob> {
  const known = withoutKeyRedaction(options.log)
  return (job) => evaluate(options, known, job)
}

async function evaluate(options: EvaluateOptions, known: Logger, job: RunningJob<MergeRequestJob>): Promise<JobResult> {
  const { data: mergeRequest, addedAt, claim } = job
  const { journal, now } = options
  const [mail, before] = await Promise.all([journal.pendingEvents(mergeRequest), journal.memory(mergeRequest)])
  const about = { mergeRequest: mergeRequestKey(mergeRequest), deliveries: deliveryIds(mail).slice(0, mostNamed) }
  const log = known.child(about)
  let memory = before ?? emptyMemory()
  const waits = waitsAfter(memory, mail, now())
  const unseenSince = oldestUnseen(memory, mail)
  const evaluation = randomUUID()
  for (let round = 1; round <= maxRounds; round++) {
    const started = now()
    const decided = await decideOrWithdraw(options, job, { memory, mail })
    // Intake sees it too, but the pipeline's hook may be lost.
    if (!decided.input.project.mergeRequestPipelines && showsMergeRequestPipelines(decided.input.answers))
      await journal.markProject(mergeRequest.service, mergeRequest.project, 'merge request pipelines', 'seen')
    tellRules(log, decided.decision)
    log.info(
      { event: 'evaluated', round, head: decided.decision.head, calls: decided.decision.calls.length },
      'evaluated',
    )
    const checkpoint = saving(options, job, decided, waits)
    const { answers, stopped } = await act(decided.decision, {
      checkpoint,
      claim,
      client: options.client,
      stillHolds: (call) => stillHolds(options, decided, call),
      now,
      log: options.log.child(about),
    })
    const decision: Decision = { ...decided.decision, answers }
    memory = await checkpoint(answers)
    // A later round without calls only confirms the one before.
    if (round === 1 || decision.calls.length > 0)
      await recordDecision(
        options,
        decided.input,
        decision,
        {
          pendingEvents: mail,
          evaluation,
          tookMs: now() - started,
          ...(round === 1 && unseenSince !== undefined ? { unseenSince } : {}),
        },
        log,
      )
    if (decision.changesAt !== undefined)
      await scheduleEvaluation(options.timers, mergeRequest, decision.changesAt, now())
    // The next attempt reads what became of an uncertain call.
    if (stopped !== undefined) throw stopped.by
    const next = after(decision, memory, now() - Math.max(addedAt, waits?.since ?? 0))
    if (next === 'evaluate again') continue
    const isOver = !asksAgain(decision, memory) && answersOfOtherVersions(decided.input).length === 0
    if (next.outcome === 'done' || isOver) await forgetMail(journal, mergeRequest, mail)
    return next
  }
  return {
    outcome: 'later',
    delayMs: shortestWaitMs,
    reason: `${maxRounds} decisions in a row sent calls: do two rules undo each other?`,
  }
}

/** Saves the memory as of these answers, where it changed, and returns it. Throws JobTakenOver. */
function saving(
  { journal }: EvaluateOptions,
  { data: mergeRequest, claim }: RunningJob<MergeRequestJob>,
  { decision, input }: DecisionWithFacts,
  waits: Memory['waits'],
) {
  const body = mergeRequestIn(input)
  let saved: string | undefined
  return async (answers: readonly CallResponse[]): Promise<Memory> => {
    const after = remember(input.memory, { ...decision, answers: [...answers] })
    const memory = { ...withStable(after, body, input.now), ...(waits === undefined ? {} : { waits }) }
    const text = JSON.stringify(memory)
    // A closed merge request may be reopened: what must be withdrawn then is kept.
    const over =
      body.state === 'merged' || (body.state === 'closed' && !holdsAnything(memory)) || isNobodys(input, memory)
    if (text === saved) return memory
    await claim()
    await journal.saveMemory(mergeRequest, memory, over)
    saved = text
    return memory
  }
}

/** No rule read its state, so it may be merged already. */
function isNobodys({ answers, mergeRequest }: DecideInput, memory: Memory): boolean {
  return !(boundSource in answers) && !isProject(mergeRequest) && !keepsAnything(memory)
}

type Given = Pick<DecideInput, 'mergeRequest' | 'memory'> & { rules: RulesInForce; mail: PendingEvent[] }

/** Withdraws approvals and waiting merges where the service keeps failing to answer; then throws as before. */
async function decideOrWithdraw(
  options: EvaluateOptions,
  job: RunningJob<MergeRequestJob>,
  { memory, mail }: Pick<Given, 'memory' | 'mail'>,
): Promise<DecisionWithFacts> {
  const { data: mergeRequest, attempt } = job
  try {
    // After the events: no event is evaluated by older rules.
    const rules = await options.ruleFiles.inForce(mergeRequest.project)
    if (rules.fresh) await options.spreadRules(mergeRequest.project, rules)
    return await decideWithinLimit(options, { mergeRequest, memory, rules, mail })
  } catch (error) {
    if (attempt >= attemptsBeforeWithdrawal && error instanceof ServiceError) await withdrawHeld(options, job, error)
    throw error
  }
}

/**
 * Counts limited actions before they are sent. Where another merge request used up the limit meanwhile, decides
 * again.
 */
async function decideWithinLimit(options: EvaluateOptions, given: Given): Promise<DecisionWithFacts> {
  for (;;) {
    const observed = await observation(options, given)
    const decided = await options.patterns.within(given.mergeRequest.project, (work) =>
      decideWithFacts(options.client, { ...observed, work }, withHistory(options.journal)),
    )
    const { newRuleLimit } = decided.input
    if (
      newRuleLimit === undefined ||
      (await options.newRuleCounter.take(given.mergeRequest.project, decided.decision, newRuleLimit))
    )
      return decided
  }
}

type ObservationOptions = Pick<EvaluateOptions, 'self' | 'now' | 'offLabel' | 'newRuleCounter'> & {
  journal: Pick<Journal, 'projectMark'>
}

/** What is known before the service is asked. */
export async function observation(
  { journal, self, now, offLabel, newRuleCounter }: ObservationOptions,
  { mergeRequest, memory, rules, mail }: Given,
): Promise<Omit<DecideInput, 'answers'>> {
  const [seen, newRuleLimit, bot] = await Promise.all([
    journal.projectMark(mergeRequest.service, mergeRequest.project, 'merge request pipelines'),
    newRuleCounter.state(mergeRequest.project, rules),
    self(),
  ])
  const events = withoutReplays(mail).map(({ deliveryId, event }) => ({ id: deliveryId, event }))
  const at = new Date(now()).toISOString()
  return {
    files: rules.files,
    policy: rules.policy,
    ...(newRuleLimit === undefined ? {} : { newRuleLimit }),
    mergeRequest,
    memory: withActivity(memory, events, bot),
    events,
    now: at,
    stable: knownBefore({ mergeRequest, memory, events, now: at }),
    bot,
    offLabel,
    project: { mergeRequestPipelines: seen !== undefined },
  }
}

/** Just before a bound call: reads the rules and facts again; they must lead to the same call. */
async function stillHolds(
  { client, journal, ruleFiles, spreadRules }: EvaluateOptions,
  decided: DecisionWithFacts,
  call: Call,
): Promise<boolean> {
  const { project } = decided.input.mergeRequest
  const rules = await ruleFiles.refresh(project)
  // The push hook may be lost.
  await spreadRules(project, rules)
  const { files, policy } = rules
  const calls = await decideAgain(
    client,
    { ...decided, input: { ...decided.input, files, policy } },
    withHistory(journal),
  )
  const expected = JSON.stringify([call.endpoint, call.params])
  // The same action must want this call alone: what comes before it (squash) is done by now.
  const left = calls?.filter((each) => isCallOf(each, call.action)) ?? []
  return left.length === 1 && left.every((each) => JSON.stringify([each.endpoint, each.params]) === expected)
}

/** What follows from the outcomes. */
function after(decision: Decision, { pending }: Memory, waitedMs: number): 'evaluate again' | JobResult {
  const has = (result: CallResponse['result']) => decision.answers.some((each) => each.result === result)
  if (has('moved')) return 'evaluate again'
  if (has('not now')) return wait(waitedMs, shortestWaitMs, decision.answers.at(-1)?.message ?? 'not now')
  if (has('done')) return 'evaluate again'
  // This delay does not grow.
  if (pending !== undefined && decision.againInMs !== undefined)
    return {
      outcome: 'later',
      delayMs: decision.againInMs,
      reason: 'what became of a call without an answer is asked again',
    }
  if (decision.againInMs !== undefined)
    return wait(
      waitedMs,
      decision.againInMs,
      'it changes by itself: the service is still checking, or something is held back for a while',
    )
  return { outcome: 'done' }
}

/** A new event resets the delay: its job may have waited for days. */
function waitsAfter(memory: Memory, mail: PendingEvent[], now: number): Memory['waits'] {
  const newest = mail.at(-1)
  if (newest === undefined || newest.deliveryId === memory.waits?.delivery) return memory.waits
  return { since: now, delivery: newest.deliveryId }
}

/** When the oldest event was received that no evaluation has seen. */
function oldestUnseen(memory: Memory, mail: PendingEvent[]): number | undefined {
  const seen = mail.findLastIndex(({ deliveryId }) => deliveryId === memory.waits?.delivery)
  const [first] = withoutReplays(mail.slice(seen + 1))
  return first === undefined ? undefined : Date.parse(first.event.at)
}

function wait(waitedMs: number, atLeastMs: number, reason: string): JobResult {
  return { outcome: 'later', delayMs: Math.max(atLeastMs, Math.min(longestWaitMs, waitedMs / 2)), reason }
}

function tellRules(log: Logger, decision: Decision): void {
  const { settled } = decision
  if (settled !== undefined) {
    const line = {
      event: 'lost_response_reconciled',
      action: settled.call.action,
      came: settled.outcome,
      rules: settled.call.rules,
    }
    log[settled.outcome === 'unknown' ? 'warn' : 'info'](line, settled.detail)
  }
  for (const rule of decision.rules) {
    if (rule.became)
      log.info(
        { event: 'rule_matched', rule: rule.name, file: rule.file, line: rule.line },
        `rule matched: ${rule.name}`,
      )
  }
}

async function forgetMail(journal: Journal, mergeRequest: MergeRequestRef, mail: PendingEvent[]): Promise<void> {
  const last = mail.at(-1)
  if (last !== undefined) await journal.removePendingEvents(mergeRequest, last.seq)
}
