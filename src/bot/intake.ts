// Intake: reads a delivery, names its merge requests, puts the event into their mailboxes and wakes them, and the project where a rule acts on it (DESIGN §2.2).
import type { Logger } from 'pino'
import { type ReadPayload, readPayload } from '../api/hooks.ts'
import type { Client } from '../client/create-client.ts'
import { InvalidCallError } from '../client/errors.ts'
import type { DeliveryRecord, Journal } from '../journal/types.ts'
import type { JobHandler, Lane } from '../queue/types.ts'
import { mayBeNamed } from '../rules/events.ts'
import { projectRef } from '../rules/project-ref.ts'
import { hearsOf } from '../rules/rules-in-force.ts'
import type { Event, MergeRequestRef } from '../rules/types.ts'
import { keyOf, type MergeRequestJob } from './merge-request-job.ts'
import { isAbsentForGood } from './outcome.ts'
import { actedOn, type Concern, type ReadEvent, readEvent } from './read-event.ts'
import type { DeliveryJob } from './receive.ts'
import { spread, spreadPush, spreadTag } from './rule-change-spread.ts'
import type { RuleFiles } from './rule-files.ts'

export { keyOf, type MergeRequestJob } from './merge-request-job.ts'

export interface IntakeOptions {
  service: string
  client: Client
  journal: Journal
  mergeRequests: Lane<MergeRequestJob>
  /** Merge requests that may change the rules. */
  ruleChanges: Lane<MergeRequestJob>
  ruleFiles: RuleFiles
  log: Logger
}

// Raw bodies may carry CI variables: kept for a day only (DESIGN §6).
const keepBodyMs = 24 * 60 * 60_000
// A change of the rules is heard of by its push; this long at most where that was lost.
const rulesTrustedForMs = 60 * 60_000
// Pages read to find the merge requests of a branch.
const maxPages = 5

/** The handler of the deliveries lane. */
export function createIntake(options: IntakeOptions): JobHandler<DeliveryJob> {
  return async ({ id, data }) => {
    if (data.is === 'again') await wakeAgain(options, data)
    else await read(options, id, data)
    return { outcome: 'done' }
  }
}

async function wakeAgain(options: IntakeOptions, job: Extract<DeliveryJob, { is: 'again' }>): Promise<void> {
  const { journal, mergeRequests, log } = options
  const delivery = await journal.delivery(job.delivery)
  // Not read yet: its own job stands in the same line and wakes them.
  if (delivery === undefined) return
  // What concerned nobody may concern somebody by now, and what could not be read may be readable to a newer Bellhop.
  if (job.why === 'replay' && concernedNobody(delivery)) {
    const body = await journal.body(delivery.id)
    if (body !== undefined) return readBody(options, delivery, body)
  }
  for (const each of delivery.mergeRequests) await mergeRequests.add({ data: each, oneAtATime: keyOf(each) })
  log.info(
    { event: 'delivery again', delivery: job.delivery, why: job.why, mergeRequests: delivery.mergeRequests.map(keyOf) },
    `delivery ${job.why}`,
  )
}

type Readable = Extract<ReadPayload, { ok: true }>
type Unreplayed = Omit<DeliveryRecord, 'replays'>

/** It woke no merge request: only its body, while it is kept, can tell more. */
export function concernedNobody({ state }: Pick<DeliveryRecord, 'state'>): boolean {
  return state === 'uninteresting' || state === 'unreadable'
}

async function read(options: IntakeOptions, id: string, job: Extract<DeliveryJob, { is: 'delivery' }>): Promise<void> {
  const { journal, service } = options
  const record = {
    id,
    service,
    receivedAt: job.receivedAt,
    header: job.header,
    bytes: Buffer.byteLength(job.body),
    state: 'received' as const,
    mergeRequests: [],
    ...(job.boundTo === undefined ? {} : { boundTo: job.boundTo }),
  }
  if (job.unreadable === undefined) await journal.saveBody(id, job.body, keepBodyMs)
  await journal.saveDelivery(record)
  if (job.unreadable !== undefined) return finish(options, { ...record, state: 'unreadable', reason: job.unreadable })
  await readBody(options, record, job.body)
}

async function readBody(options: IntakeOptions, given: Unreplayed, body: string): Promise<void> {
  const { reason: _before, ...record } = given
  const payload = readPayload(body)
  if (!payload.ok) return finish(options, { ...record, state: 'unreadable', reason: payload.reason })

  const { event, concern, push } = readEvent(payload.payload, record.receivedAt)
  const other = actedOn({ event, concern, ...(push === undefined ? {} : { push }) }).find((project) => project !== record.boundTo)
  if (record.boundTo !== undefined && other !== undefined) {
    // Fails closed: whoever has the secret of one project has no say about another.
    const reason = `It came with the secret of project ${record.boundTo}, but is about project ${other}.`
    return finish(options, { ...record, event, state: 'refused', reason })
  }
  try {
    await passOn(options, record, payload, { event, concern, ...(push === undefined ? {} : { push }) })
  } catch (error) {
    // A project that the bot may not see, or a name that no call can carry, is no concern of its; anything else is the job's to retry.
    if (!isAbsentForGood(error) && !(error instanceof InvalidCallError)) throw error
    await finish(options, { ...record, event, state: 'uninteresting', reason: error.message })
  }
}

async function passOn(
  options: IntakeOptions,
  record: Unreplayed,
  { payload, content }: Readable,
  { event, concern, push }: ReadEvent,
): Promise<void> {
  const { journal, service, log } = options
  const id = record.id
  if (push !== undefined && push.to !== null) await notePush(options, id, { ...push, to: push.to }, event.actor)
  if (event.kind === 'tag_push' && event.project !== undefined && event.ref !== undefined)
    await spreadTag(options, event.project, event.ref)
  if (payload.merge_request?.iid !== undefined && event.pipeline !== undefined && event.project !== undefined) {
    await journal.markProject(service, event.project, 'merge request pipelines', 'seen')
  }
  const found = await findMergeRequests(options, concern)
  const mail = { deliveryId: id, event, content }
  for (const each of found) {
    await wake(options, each, mail)
    // Last in line: nobody waits for it.
    if (mayChangeRules(event)) await options.ruleChanges.add({ data: each, oneAtATime: keyOf(each), priority: 20 })
  }
  const project = await concernedProject(options, event)
  if (project !== undefined) await wake(options, project, mail)
  const woken = [...found, ...(project === undefined ? [] : [project])]
  if (woken.length === 0) {
    const reason = concern.about === 'nobody' ? concern.reason : 'No open merge request is concerned.'
    return finish(options, { ...record, event, state: 'uninteresting', reason })
  }
  await finish(options, { ...record, event, state: 'read', mergeRequests: woken })
  log.debug({ delivery: id, mergeRequests: woken.map(keyOf) }, 'mailboxes filled')
}

/** An event that another delivery has brought counts once: a group's hook and a project's hook both fire for it. */
async function wake(
  { journal, mergeRequests, log }: IntakeOptions,
  ref: MergeRequestRef,
  { deliveryId, event, content }: { deliveryId: string; event: Event; content: string | undefined },
): Promise<void> {
  const first = content === undefined ? deliveryId : await journal.firstWith(ref, content, deliveryId)
  if (first === deliveryId) await journal.post(ref, { deliveryId, event })
  else
    log.info({ event: 'same event', delivery: deliveryId, first, mergeRequest: keyOf(ref) }, 'another delivery has brought the same event')
  // Then too: it may have happened once more and look alike, and one that waits already is not judged twice.
  await mergeRequests.add({ data: ref, oneAtATime: keyOf(ref) })
}

/** The project itself, where a rule that acts on it is for the event. The rules as they were read lately tell, so that a storm of events costs no call. */
async function concernedProject(options: IntakeOptions, event: Event): Promise<MergeRequestRef | undefined> {
  if (event.project === undefined || !mayBeNamed(event)) return undefined
  try {
    const rules = await options.ruleFiles.inForce(event.project, rulesTrustedForMs)
    if (rules.fresh) await spread(options, event.project, rules, false)
    return hearsOf(rules, event) ? projectRef(options.service, event.project) : undefined
  } catch (error) {
    if (!isAbsentForGood(error)) throw error
    return undefined
  }
}

/** What it changes can be different only where code came in. */
function mayChangeRules({ kind, pushed }: Event): boolean {
  return kind === 'merge_request.open' || (kind.startsWith('merge_request.') && pushed !== undefined)
}

async function finish({ journal, log }: IntakeOptions, record: Unreplayed): Promise<void> {
  await journal.saveDelivery(record)
  log.info(
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
  options: IntakeOptions,
  deliveryId: string,
  push: { project: number; branch: string; from: string | null; to: string },
  by: { id?: number; username?: string },
): Promise<void> {
  const { journal, service } = options
  await journal.addPush({ service, project: push.project, branch: push.branch }, { from: push.from, to: push.to, by }, deliveryId)
  await spreadPush(options, push.project, push.branch)
}

async function findMergeRequests({ client, service }: IntakeOptions, concern: Concern): Promise<MergeRequestRef[]> {
  if (concern.about === 'nobody') return []
  if (concern.about === 'merge request') return [{ service, project: concern.project, iid: concern.iid }]
  const found: MergeRequestRef[] = []
  const params = { id: concern.project, state: 'opened', source_branch: concern.branch } as const
  for await (const page of client.pages(client.mergeRequests.list, params, { maxPages })) {
    for (const each of page.body) {
      // `source_branch` is not on the page: a service that ignores it answers with all of them.
      if (each.iid === undefined || each.source_branch !== concern.branch || (each.state !== 'opened' && each.state !== 'reopened'))
        continue
      if (concern.sha !== undefined && each.sha !== undefined && each.sha !== concern.sha) continue
      found.push({ service, project: each.target_project_id ?? concern.project, iid: each.iid })
    }
  }
  return found
}
