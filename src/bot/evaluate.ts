// Evaluate: one merge request at a time is judged by its present state, acted on, and judged again until nothing is left to do (DESIGN §2.3).
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { Client } from '../client/create-client.ts'
import { ServiceError } from '../client/errors.ts'
import type { Journal, MailboxEntry } from '../journal/types.ts'
import type { JobHandler, JobResult, Lane, RunningJob } from '../queue/types.ts'
import type { DecideInput } from '../rules/decide.ts'
import { answersOfOtherVersions } from '../rules/evaluated-version.ts'
import { withActivity } from '../rules/facts/activity.ts'
import { showsMergeRequestPipelines } from '../rules/head-pipeline.ts'
import { isOf } from '../rules/one-update.ts'
import { isProject } from '../rules/project-ref.ts'
import { asksAgain, emptyMemory, holdsAnything, keepsAnything, remember } from '../rules/remember.ts'
import { boundSource } from '../rules/sources.ts'
import { knownBefore, withStable } from '../rules/stable.ts'
import type { Answer, Call, Decision, Memory, MergeRequestRef } from '../rules/types.ts'
import { act } from './act.ts'
import type { BrakeCounter } from './brake.ts'
import { withHistory } from './branch-history.ts'
import type { Counting } from './counting.ts'
import { ofKnownFields } from './known-fields.ts'
import { keyOf, type MergeRequestJob } from './merge-request-job.ts'
import { type Judged, judge, judgeAgain, mergeRequestIn } from './observe.ts'
import type { PatternAllowance } from './pattern-allowance.ts'
import { deliveriesOf, happened, recordDecision } from './record-decision.ts'
import type { RuleFiles, RulesInForce } from './rule-files.ts'
import { contentOfNewest } from './same-event.ts'
import { setTimer, type TimerJob } from './timers.ts'
import { withdrawHeld } from './withdraw-held.ts'

export interface EvaluateOptions {
  client: Client
  journal: Journal
  ruleFiles: RuleFiles
  timers: Lane<TimerJob>
  /** Told of rules that were read just now: the other merge requests may have to be judged by them as well. */
  spreadRules: (project: number, rules: RulesInForce) => Promise<void>
  brake: BrakeCounter
  patterns: PatternAllowance
  /** Who the bot is to the service: asked once. */
  self: () => Promise<{ id: number; username: string }>
  /** The label that makes Bellhop leave a merge request alone. */
  offLabel: string
  counting?: Counting | undefined
  now: () => number
  log: Logger
}

// One round more than any sound decision was seen to need. Rules that undo each other are stopped by the flip breaker; until then others have their turn.
const maxRounds = 5
// What fails as often fails because of this merge request: the rules cannot be decided, and do not support what was approved before.
const attemptsBeforeWithdrawal = 3
// A storm may bring a thousand; the decision names them all.
const mostNamed = 20
// A merge request that "cannot be merged now" is asked after again, ever more slowly, until an event or a person changes something.
const shortestWaitMs = 1_000
const longestWaitMs = 5 * 60_000

/** The handler of the merge-requests lane. */
export function createEvaluate(options: EvaluateOptions): JobHandler<MergeRequestJob> {
  const known = ofKnownFields(options.log)
  return (job) => evaluate(options, known, job)
}

async function evaluate(options: EvaluateOptions, known: Logger, job: RunningJob<MergeRequestJob>): Promise<JobResult> {
  const { data: mergeRequest, addedAt, claim } = job
  const { journal, now } = options
  const [mail, before] = await Promise.all([journal.mailbox(mergeRequest), journal.memory(mergeRequest)])
  const about = { mergeRequest: keyOf(mergeRequest), deliveries: deliveriesOf(mail).slice(0, mostNamed) }
  const log = known.child(about)
  let memory = before ?? emptyMemory()
  const waits = waitsAfter(memory, mail, now())
  const unseenSince = oldestUnseen(memory, mail)
  const evaluation = randomUUID()
  for (let round = 1; round <= maxRounds; round++) {
    const started = now()
    const judged = await judgeOrWithdraw(options, job, { memory, mail })
    // Seen here as well as by intake: the hook of its pipeline may be lost, or not wanted by the project's hook.
    if (!judged.input.project.mergeRequestPipelines && showsMergeRequestPipelines(judged.input.answers))
      await journal.markProject(mergeRequest.service, mergeRequest.project, 'merge request pipelines', 'seen')
    tellRules(log, judged.decision)
    log.info({ event: 'judged', round, head: judged.decision.head, calls: judged.decision.calls.length }, 'judged')
    const checkpoint = saving(options, job, judged, waits)
    const { answers, stopped } = await act(judged.decision, {
      checkpoint,
      claim,
      client: options.client,
      stillHolds: (call) => stillHolds(options, judged, call),
      now,
      log: options.log.child(about),
    })
    const decision: Decision = { ...judged.decision, answers }
    memory = await checkpoint(answers)
    // A later round that finds nothing more to do only confirms the one before.
    if (round === 1 || decision.calls.length > 0)
      await recordDecision(
        options,
        judged.input,
        decision,
        { mail, evaluation, tookMs: now() - started, ...(round === 1 && unseenSince !== undefined ? { unseenSince } : {}) },
        log,
      )
    if (decision.changesAt !== undefined) await setTimer(options.timers, mergeRequest, decision.changesAt, now())
    // After a call of uncertain effect too: the next try reads what became of it, once the service had time to finish.
    if (stopped !== undefined) throw stopped.by
    const next = after(decision, memory, now() - Math.max(addedAt, waits?.since ?? 0))
    if (next === 'judge again') continue
    // An event that was read of another version is not evaluated yet.
    const isOver = !asksAgain(decision, memory) && answersOfOtherVersions(judged.input).length === 0
    if (next.outcome === 'done' || isOver) await forgetMail(journal, mergeRequest, mail)
    return next
  }
  return { outcome: 'later', delayMs: shortestWaitMs, reason: `${maxRounds} decisions in a row sent calls: do two rules undo each other?` }
}

/** Saves what is remembered once these answers are in, where that is not what was saved last; gives it. Throws JobTakenOver: another run knows more by now. */
function saving(
  { journal }: EvaluateOptions,
  { data: mergeRequest, claim }: RunningJob<MergeRequestJob>,
  { decision, input }: Judged,
  waits: Memory['waits'],
) {
  const body = mergeRequestIn(input)
  let saved: string | undefined
  return async (answers: readonly Answer[]): Promise<Memory> => {
    const after = remember(input.memory, { ...decision, answers: [...answers] })
    const memory = { ...withStable(after, body, input.now), ...(waits === undefined ? {} : { waits }) }
    const text = JSON.stringify(memory)
    // One that is closed may come back: what is to be taken back then is not forgotten.
    const over = body.state === 'merged' || (body.state === 'closed' && !holdsAnything(memory)) || isNobodys(input, memory)
    if (text === saved) return memory
    await claim()
    await journal.saveMemory(mergeRequest, memory, over)
    saved = text
    return memory
  }
}

/** No rule was near it, so that not even its state was read: it may be merged long since. */
function isNobodys({ answers, mergeRequest }: DecideInput, memory: Memory): boolean {
  return !(boundSource in answers) && !isProject(mergeRequest) && !keepsAnything(memory)
}

type Given = Pick<DecideInput, 'mergeRequest' | 'memory'> & { rules: RulesInForce; mail: MailboxEntry[] }

/** A decision by the rules in force. Where the service keeps failing to answer, what Bellhop holds is taken back; then throws as before. */
async function judgeOrWithdraw(
  options: EvaluateOptions,
  job: RunningJob<MergeRequestJob>,
  { memory, mail }: Pick<Given, 'memory' | 'mail'>,
): Promise<Judged> {
  const { data: mergeRequest, attempt } = job
  try {
    // After the mail was read: no event is judged by rules that are older than it.
    const rules = await options.ruleFiles.inForce(mergeRequest.project)
    if (rules.fresh) await options.spreadRules(mergeRequest.project, rules)
    return await judgeWithinBrake(options, { mergeRequest, memory, rules, mail })
  } catch (error) {
    if (attempt >= attemptsBeforeWithdrawal && error instanceof ServiceError) await withdrawHeld(options, job, error)
    throw error
  }
}

/** A decision whose braked actions are counted before they are sent. Another merge request may have used up the brake in between: then it is decided by what is left. */
async function judgeWithinBrake(options: EvaluateOptions, given: Given): Promise<Judged> {
  for (;;) {
    const observed = await observation(options, given)
    const judged = await options.patterns.within(given.mergeRequest.project, (work) =>
      judge(options.client, { ...observed, work }, withHistory(options.journal)),
    )
    const { brake } = judged.input
    if (brake === undefined || (await options.brake.take(given.mergeRequest.project, judged.decision, brake))) return judged
  }
}

/** All that is known before anything is read. */
export async function observation(
  { journal, self, now, offLabel, brake }: Pick<EvaluateOptions, 'journal' | 'self' | 'now' | 'offLabel' | 'brake'>,
  { mergeRequest, memory, rules, mail }: Given,
): Promise<Omit<DecideInput, 'answers'>> {
  const [seen, braked, bot] = await Promise.all([
    journal.projectMark(mergeRequest.service, mergeRequest.project, 'merge request pipelines'),
    brake.state(mergeRequest.project, rules),
    self(),
  ])
  const events = happened(mail).map(({ deliveryId, event }) => ({ id: deliveryId, event }))
  const at = new Date(now()).toISOString()
  return {
    files: rules.files,
    policy: rules.policy,
    ...(braked === undefined ? {} : { brake: braked }),
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

/** Just before a bound call: the rules and all that was judged are read anew, and must lead to the very same call. */
async function stillHolds({ client, journal, ruleFiles, spreadRules }: EvaluateOptions, judged: Judged, call: Call): Promise<boolean> {
  const { project } = judged.input.mergeRequest
  const rules = await ruleFiles.refresh(project)
  // The push hook of the new file may be lost: the other merge requests have to be evaluated by it as well.
  await spreadRules(project, rules)
  const { files, policy } = rules
  const calls = await judgeAgain(client, { ...judged, input: { ...judged.input, files, policy } }, withHistory(journal))
  const wanted = JSON.stringify([call.endpoint, call.params])
  // What had to be set before it (squash) must be set by now: the same action must want this call alone.
  const left = calls?.filter((each) => isOf(each, call.action)) ?? []
  return left.length === 1 && left.every((each) => JSON.stringify([each.endpoint, each.params]) === wanted)
}

/** What follows from what came of the calls. */
function after(decision: Decision, { pending }: Memory, waitedMs: number): 'judge again' | JobResult {
  const has = (result: Answer['result']) => decision.answers.some((each) => each.result === result)
  if (has('moved')) return 'judge again'
  if (has('not now')) return wait(waitedMs, shortestWaitMs, decision.answers.at(-1)?.message ?? 'not now')
  if (has('done')) return 'judge again'
  // Until it is known what became of a call, its failure is not over; and how long that takes does not grow with the wait.
  if (pending !== undefined && decision.againInMs !== undefined)
    return {
      outcome: 'later',
      delayMs: decision.againInMs,
      reason: 'what became of a call without an answer is asked again',
      keepsTries: true,
    }
  if (decision.againInMs !== undefined)
    return wait(waitedMs, decision.againInMs, 'it changes by itself: the service is still checking, or something is held back for a while')
  return { outcome: 'done' }
}

/** An event begins the waits anew: its job may be one that has waited for days. */
function waitsAfter(memory: Memory, mail: MailboxEntry[], now: number): Memory['waits'] {
  const newest = mail.at(-1)
  if (newest === undefined || newest.deliveryId === memory.waits?.delivery) return memory.waits
  const content = contentOfNewest(mail, memory.waits)
  return {
    since: now,
    delivery: newest.deliveryId,
    kind: newest.event.kind,
    at: lastCame(mail) ?? newest.event.at,
    ...(content === undefined ? {} : { content }),
  }
}

/** When that came which came last: deliveries overtake one another, so it need not be the newest in the mailbox. */
const lastCame = (mail: MailboxEntry[]) =>
  mail
    .map(({ event }) => event.at)
    .sort()
    .at(-1)

/** When the oldest event was received that no evaluation has judged yet; mail may stay for as long as it is asked for. */
function oldestUnseen(memory: Memory, mail: MailboxEntry[]): number | undefined {
  const seen = mail.findLastIndex(({ deliveryId }) => deliveryId === memory.waits?.delivery)
  const [first] = happened(mail.slice(seen + 1))
  return first === undefined ? undefined : Date.parse(first.event.at)
}

function wait(waitedMs: number, atLeastMs: number, reason: string): JobResult {
  return { outcome: 'later', delayMs: Math.max(atLeastMs, Math.min(longestWaitMs, waitedMs / 2)), reason }
}

function tellRules(log: Logger, decision: Decision): void {
  const { settled } = decision
  if (settled !== undefined) {
    const line = { event: 'answer was lost', action: settled.call.action, came: settled.came, rules: settled.call.rules }
    log[settled.came === 'unknown' ? 'warn' : 'info'](line, settled.detail)
  }
  for (const rule of decision.rules) {
    if (rule.became) log.info({ event: 'rule holds', rule: rule.name, file: rule.file, line: rule.line }, `rule holds: ${rule.name}`)
  }
}

async function forgetMail(journal: Journal, mergeRequest: MergeRequestRef, mail: MailboxEntry[]): Promise<void> {
  const last = mail.at(-1)
  if (last !== undefined) await journal.removeMail(mergeRequest, last.seq)
}
