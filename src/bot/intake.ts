// Intake: reads a delivery, names its merge requests, puts the event into their mailboxes and wakes them, and the project where a rule acts on it (DESIGN §2.2).
import type { Logger } from 'pino'
import type { Client } from '../client/create-client.ts'
import { InvalidCallError } from '../client/errors.ts'
import type { DeliveryRecord, Journal } from '../journal/types.ts'
import type { JobHandler } from '../queue/types.ts'
import { decide } from '../rules/decide.ts'
import { mayBeNamed } from '../rules/events.ts'
import { patternLimitIn } from '../rules/pattern-limit.ts'
import { projectRef } from '../rules/project-ref.ts'
import { emptyMemory } from '../rules/remember.ts'
import { hearsOf } from '../rules/rules-in-force.ts'
import { knownBefore } from '../rules/stable.ts'
import type { Event, MergeRequestRef } from '../rules/types.ts'
import { type CallsAtOnce, callsAtOnce } from './calls-at-once.ts'
import type { Counting } from './counting.ts'
import { findMergeRequests } from './find-merge-requests.ts'
import { ofKnownFields } from './known-fields.ts'
import { keyOf } from './merge-request-job.ts'
import { isAbsentForGood } from './outcome.ts'
import type { PatternAllowance } from './pattern-allowance.ts'
import { patternTurns } from './pattern-turns.ts'
import { readDelivery, type Said } from './read-delivery.ts'
import { actedOn } from './read-event.ts'
import type { DeliveryJob } from './receive.ts'
import { replayMail } from './replay-mail.ts'
import { type SpreadOptions, spread, spreadPush, spreadTag } from './rule-change-spread.ts'
import type { RulesInForce } from './rule-files.ts'
import { heedCopy, lookAgain, type SameEventOptions } from './same-event.ts'
import { usualBodyKeptMs, withoutBody } from './without-body.ts'

export interface IntakeOptions extends SpreadOptions, SameEventOptions {
  client: Client
  journal: Journal
  /** How long raw bodies are kept; a day when absent. */
  bodyKeptMs?: number
  patterns: PatternAllowance
  counting?: Counting | undefined
}

interface Reading extends IntakeOptions {
  /** For lines whose fields are all known. */
  told: Logger
  /** Whatever asks the service: more deliveries are read at once than it may bear calls. */
  inTurn: CallsAtOnce
}

// A change of the rules is heard of by its push; this long at most where that was lost.
const rulesTrustedForMs = 60 * 60_000
const usualCallsAtOnce = 10

/** The handler of the deliveries lane. */
export function createIntake(options: IntakeOptions): JobHandler<DeliveryJob> {
  const given: Reading = { ...options, told: ofKnownFields(options.log), inTurn: callsAtOnce(usualCallsAtOnce) }
  return async ({ id, data, isFirst, addedAt }) => {
    if (data.is === 'again' && data.why === 'copied') return lookAgain(options, data, addedAt)
    if (data.is === 'again') {
      await wakeAgain(given, data)
      return { outcome: 'done' }
    }
    // Its body is in the journal, and need not be kept twice.
    return { outcome: 'done', leaves: await read(given, { id, job: data, isFirst }) }
  }
}

async function wakeAgain(options: Reading, job: Extract<DeliveryJob, { why: 'doubled' | 'replay' }>): Promise<void> {
  const { journal, mergeRequests, log } = options
  const delivery = await journal.delivery(job.delivery)
  // Not read yet: its own job stands in the same line and wakes them.
  if (delivery === undefined) return
  // What concerned nobody may concern somebody by now, and what could not be read may be readable to a newer Bellhop.
  if (job.why === 'replay' && concernedNobody(delivery)) {
    const body = await journal.body(delivery.id)
    if (body !== undefined) return readBody(options, delivery, body)
  }
  for (const each of delivery.mergeRequests) {
    if (job.replay !== undefined)
      await journal.post(each, replayMail({ of: 'delivery', id: delivery.id, number: job.replay.number }, job.replay.at))
    await mergeRequests.add({ data: each, oneAtATime: keyOf(each) })
  }
  log.info(
    { event: 'delivery again', delivery: job.delivery, why: job.why, mergeRequests: delivery.mergeRequests.map(keyOf) },
    `delivery ${job.why}`,
  )
}

type Unreplayed = Omit<DeliveryRecord, 'replays'>

/** It woke no merge request: only its body, while it is kept, can tell more. */
export function concernedNobody({ state }: Pick<DeliveryRecord, 'state'>): boolean {
  return state === 'uninteresting' || state === 'unreadable'
}

type NewDelivery = Extract<DeliveryJob, { is: 'delivery' }>

/** What is known of a delivery, and its body where that is still to be kept. */
interface Taken {
  record: Unreplayed
  body?: { text: string; keepMs: number }
}

/** Gives the job without its body, undefined where it has none. */
async function read(
  options: Reading,
  { id, job, isFirst }: { id: string; job: NewDelivery; isFirst: boolean },
): Promise<NewDelivery | undefined> {
  const { journal, service, log, bodyKeptMs = usualBodyKeptMs } = options
  const record = {
    id,
    service,
    receivedAt: job.receivedAt,
    header: job.header,
    bytes: job.read?.bytes ?? Buffer.byteLength(job.body),
    state: 'received' as const,
    mergeRequests: [],
    ...(job.boundTo === undefined ? {} : { boundTo: job.boundTo }),
  }
  const hasBody = job.unreadable === undefined && job.read === undefined
  const body = hasBody ? { text: job.body, keepMs: bodyKeptMs } : undefined
  const came = () => journal.saveDelivery(record, body)
  // What is read to its end at once is written once, with what came of it. A run that is cut off says nothing: the next one tells before all else.
  if (!isFirst) await came()
  const taken = { record, ...(isFirst && body !== undefined ? { body } : {}) }
  try {
    const lighter = withoutBody(job)
    const { unreadable, read: known } = lighter ?? job
    if (unreadable !== undefined) await finish(options, taken, { state: 'unreadable', reason: unreadable })
    else if (known !== undefined) await heed(options, taken, known.said)
    return lighter
  } catch (error) {
    if (isFirst)
      await came().catch((err: unknown) => log.warn({ event: 'delivery not noted', delivery: id, err }, 'a delivery is not noted yet'))
    throw error
  }
}

async function readBody(options: Reading, given: Unreplayed, body: string): Promise<void> {
  const { reason: _before, ...record } = given
  const read = readDelivery(body, record.receivedAt)
  if (!read.ok) return finish(options, { record }, { state: 'unreadable', reason: read.reason })
  await heed(options, { record }, read.said)
}

async function heed(options: Reading, taken: Taken, said: Said): Promise<void> {
  const { record } = taken
  const { event } = said
  const other = actedOn(said).find((project) => project !== record.boundTo)
  if (record.boundTo !== undefined && other !== undefined) {
    // Fails closed: whoever has the secret of one project has no say about another.
    const reason = `It came with the secret of project ${record.boundTo}, but is about project ${other}.`
    return finish(options, taken, { event, state: 'refused', reason })
  }
  try {
    await passOn(options, taken, said)
  } catch (error) {
    // A project that the bot may not see, or a name that no call can carry, is no concern of its; anything else is the job's to retry.
    if (!isAbsentForGood(error) && !(error instanceof InvalidCallError)) throw error
    await finish(options, taken, { event, state: 'uninteresting', reason: error.message })
  }
}

async function passOn(
  options: Reading,
  taken: Taken,
  { event, concern, push, stable, content, ofMergeRequest, projectPath }: Said,
): Promise<void> {
  const { journal, service, log, inTurn } = options
  const { id } = taken.record
  if (push !== undefined && push.to !== null) await notePush(options, id, { ...push, to: push.to }, event.actor)
  const { project: tagged, ref: tag } = event
  if (event.kind === 'tag_push' && tagged !== undefined && tag !== undefined) await inTurn(() => spreadTag(options, tagged, tag))
  if (ofMergeRequest && event.pipeline !== undefined && event.project !== undefined) {
    await journal.markProject(service, event.project, 'merge request pipelines', 'seen')
  }
  const found = await findMergeRequests(options, concern, stable)
  const rules = await rulesFor(options, event, projectPath)
  const mails: Addressed[] = []
  for (const { ref, stable: said } of found) {
    const mail = { deliveryId: id, event: said === undefined ? event : { ...event, stable: said }, content }
    if (rules === undefined || ref.project !== event.project || (await mayConcern(options, rules, ref, mail))) mails.push({ ref, mail })
  }
  if (rules !== undefined && event.project !== undefined && hearsOf(rules, event))
    mails.push({ ref: projectRef(service, event.project), mail: { deliveryId: id, event, content } })
  const concerned = mails.map(({ ref }) => ref)
  if (concerned.length === 0) {
    const reason = found.length > 0 ? noRule : concern.about === 'nobody' ? concern.reason : 'No open merge request is concerned.'
    await finish(options, taken, { event, state: 'uninteresting', reason, mergeRequests: found.map(({ ref }) => ref) })
  } else {
    // Before anybody is woken: the decisions that it leads to name it.
    await finish(options, taken, { event, state: 'read', mergeRequests: concerned })
    for (const { ref, mail } of mails) await wake(options, ref, mail)
    log.debug({ delivery: id, mergeRequests: concerned.map(keyOf) }, 'delivery read')
  }
  // Not before this one's mail: those who waited for the same reading would overtake it.
  if (rules?.fresh === true && event.project !== undefined) await spreadFresh(options, event.project, rules)
  // Last in line: nobody waits for it.
  if (!mayChangeRules(event)) return
  for (const { ref } of found) await options.ruleChanges.add({ data: ref, oneAtATime: keyOf(ref), priority: 20 })
}

/** Mail, and who is to get it. */
interface Addressed {
  ref: MergeRequestRef
  mail: Mail
}

interface Mail {
  deliveryId: string
  event: Event
  content: string | undefined
}

async function wake(options: IntakeOptions, ref: MergeRequestRef, { deliveryId, event, content }: Mail): Promise<void> {
  const { journal, mergeRequests } = options
  const first = await journal.post(ref, { deliveryId, event, ...(content === undefined ? {} : { content }) })
  if (content !== undefined && first !== deliveryId) return heedCopy(options, ref, { deliveryId, event, content, first })
  await mergeRequests.add({ data: ref, oneAtATime: keyOf(ref) })
}

const noRule = 'No rule can hold for it: what the delivery says of the merge request rules them out.'
// Whoever it is: an event of the bot's own wakes for nothing at most.
const nobody = { id: -1, username: '' }

/** False when what is known beforehand shows that no rule holds, now or by itself later, and nothing is to be taken back. Costs no call. */
async function mayConcern(
  { journal, patterns }: IntakeOptions,
  { files, policy }: RulesInForce,
  mergeRequest: MergeRequestRef,
  { deliveryId, event }: Mail,
): Promise<boolean> {
  const memory = (await journal.memory(mergeRequest)) ?? emptyMemory()
  const about = { mergeRequest, memory, events: [{ id: deliveryId, event }], now: event.at }
  const project = { mergeRequestPipelines: false }
  const known = { ...about, files, policy, answers: {}, bot: nobody, project, stable: knownBefore(about) }
  const decided = await patterns.within(mergeRequest.project, (work) => patternTurns.run(() => decide({ ...known, work })))
  if ('needs' in decided) return true
  const { decision } = decided
  // What is not matched here is not ruled out: the evaluation says why.
  return decision.changesAt !== undefined || decision.againInMs !== undefined || patternLimitIn(decision) !== undefined
}

/** The rules of the event's project as they were read lately, so that a storm of events costs no call; read anew where it was moved; nothing where no rule can be for it. */
async function rulesFor(options: Reading, event: Event, path: string | undefined): Promise<RulesInForce | undefined> {
  const { project } = event
  if (project === undefined || !mayBeNamed(event)) return undefined
  try {
    const told = path === undefined ? undefined : { path, at: event.at }
    return await options.ruleFiles.inForce(project, rulesTrustedForMs, told, options.inTurn)
  } catch (error) {
    if (!isAbsentForGood(error)) throw error
    return undefined
  }
}

/** The other merge requests may have to be judged by them as well. */
async function spreadFresh(options: Reading, project: number, rules: RulesInForce): Promise<void> {
  try {
    await options.inTurn(() => spread(options, project, rules, false))
  } catch (error) {
    if (!isAbsentForGood(error)) throw error
  }
}

/** What it changes can be different only where code came in. */
function mayChangeRules({ kind, pushed }: Event): boolean {
  return kind === 'merge_request.open' || (kind.startsWith('merge_request.') && pushed !== undefined)
}

/** Writes what came of a delivery. */
async function finish({ journal, counting, told }: Reading, { record: before, body }: Taken, came: Partial<Unreplayed>): Promise<void> {
  const record = { ...before, ...came }
  await journal.saveDelivery(record, body)
  counting?.delivery(record)
  told.info(
    {
      event: 'delivery read',
      delivery: record.id,
      state: record.state,
      kind: record.event?.kind,
      reason: record.reason,
      mergeRequests: record.mergeRequests.map(keyOf),
    },
    `delivery ${record.state}`,
  )
}

async function notePush(
  options: Reading,
  deliveryId: string,
  push: { project: number; branch: string; from: string | null; to: string },
  by: { id?: number; username?: string },
): Promise<void> {
  const { journal, service } = options
  await journal.addPush({ service, project: push.project, branch: push.branch }, { from: push.from, to: push.to, by }, deliveryId)
  await options.inTurn(() => spreadPush(options, push.project, push.branch))
}
