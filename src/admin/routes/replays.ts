// Replays: one delivery, one decision, or a selection of deliveries is judged again, on the state as it is now.
import * as z from 'zod'
import type { DeliveryFilter, DeliveryRecord, Journal } from '../../journal/types.ts'
import { type Beside, beside } from '../beside.ts'
import type { Replayed } from '../desk.ts'
import { byId, deliveryFilter, flag, nothing, readDeliveryFilter, whole, why } from '../inputs.ts'
import { accepted, ok, type Reply, refuse, route } from '../route.ts'
import * as shapes from '../shapes.ts'
import { unknownDecision } from './decisions.ts'
import { decisionsOf, unknownDelivery } from './deliveries.ts'

/** What a dry run answers. */
export interface DryRunAnswer {
  id: string
  dryRun: true
  mergeRequests: Beside[]
}

export interface ReplayAnswer {
  id: string
  replayed: true
  /** The how-manieth replay of it that is. */
  number: number
}

/** What a selection answers. */
export interface SelectionAnswer {
  dryRun: boolean
  /** How many deliveries the filter finds; with `more`, at least so many. */
  count: number
  more: boolean
  deliveries: { id: string; receivedAt: string; replayed?: 'replayed' | 'unknown' | 'forgotten' }[]
}

const forgotten = 'It concerned no merge request, and its body is not kept any more: there is nothing to judge again.'
const counted = 'The filter finds another number of deliveries by now.'
/** Many merge requests of one delivery (a push to a target branch): each is read from the service. */
const mostJudged = 20
const dryRun = { dry_run: flag.default(false).describe('Only says what would be decided now, beside what was decided then.'), why }
const besides = z.object({
  mergeRequests: z.array(
    z.looseObject({ mergeRequest: shapes.mergeRequestRef, says: z.string(), changed: z.array(z.looseObject({ rule: z.string() })) }),
  ),
})
const replayed = z.object({ id: z.string(), replayed: z.literal(true), number: z.int() })

export const replayRoutes = [
  route({
    name: 'replay_delivery',
    method: 'post',
    path: '/deliveries/{id}/replay',
    scope: 'replay',
    doc: 'Judges its merge requests again, on the state as it is now; one that could not be read, or concerned nobody, is read again.',
    params: byId,
    input: z.strictObject(dryRun),
    answers: { 200: besides.describe('Of a dry run.'), 202: replayed },
    refusals: { 404: unknownDelivery, 410: forgotten },
    async handle({ params: { id }, input, by }, desk) {
      if (!input.dry_run) return said(await desk.replay.delivery(id, by, input.why), id, unknownDelivery)
      const delivery = await desk.journal.delivery(id)
      if (delivery === undefined) return refuse(404, unknownDelivery)
      const before = await decisionsOf(desk.journal, id)
      const mergeRequests: Beside[] = []
      for (const each of delivery.mergeRequests.slice(0, mostJudged))
        mergeRequests.push(
          await beside(
            desk,
            each,
            before.filter(({ mergeRequest: of }) => of.project === each.project && of.iid === each.iid),
          ),
        )
      const answer: DryRunAnswer = { id, dryRun: true, mergeRequests }
      return ok(answer)
    },
  }),
  route({
    name: 'replay_decision',
    method: 'post',
    path: '/decisions/{id}/replay',
    scope: 'replay',
    doc: 'Judges its merge request again, on the state as it is now.',
    params: byId,
    input: z.strictObject(dryRun),
    answers: { 200: besides.describe('Of a dry run.'), 202: replayed },
    refusals: { 404: unknownDecision },
    async handle({ params: { id }, input, by }, desk) {
      if (!input.dry_run) return said(await desk.replay.decision(id, by, input.why), id, unknownDecision)
      const decision = await desk.journal.decision(id)
      if (decision === undefined) return refuse(404, unknownDecision)
      const answer: DryRunAnswer = { id, dryRun: true, mergeRequests: [await beside(desk, decision.mergeRequest, [decision])] }
      return ok(answer)
    },
  }),
  route({
    name: 'replay_selection',
    method: 'post',
    path: '/replays',
    scope: 'replay',
    doc: 'Replays all deliveries that a filter finds, the newest `cap` of them at most. A dry run, which is the default, only counts and lists them.',
    params: nothing,
    input: z.strictObject({
      ...deliveryFilter,
      cap: whole(1, 200).default(100),
      dry_run: flag.default(true),
      count: whole(0).optional().describe('What a dry run counted: when it is another number by now, nothing is replayed.'),
      why,
    }),
    answers: {
      200: z.object({ dryRun: z.boolean(), count: z.int(), more: z.boolean(), deliveries: z.array(z.looseObject({ id: z.string() })) }),
      202: z.object({ dryRun: z.boolean(), count: z.int(), more: z.boolean(), deliveries: z.array(z.looseObject({ id: z.string() })) }),
    },
    refusals: { 409: counted },
    async handle({ input: { cap, dry_run, count, why: reason, ...input }, by }, { journal, service, replay }) {
      const filter = readDeliveryFilter(input, service)
      if (typeof filter === 'string') return refuse(400, filter)
      const { items, more } = await firstOf(journal, filter, cap)
      const found = { count: items.length, more }
      const listed = items.map(({ id, receivedAt }) => ({ id, receivedAt }))
      const answer: SelectionAnswer = { dryRun: dry_run, ...found, deliveries: listed }
      if (dry_run) return ok(answer)
      if (count !== undefined && count !== items.length) return { status: 409, body: { error: counted, ...found } }
      const deliveries: SelectionAnswer['deliveries'] = []
      for (const each of listed) deliveries.push({ ...each, replayed: (await replay.delivery(each.id, by, reason)).is })
      return accepted({ ...answer, deliveries })
    },
  }),
]

function said(done: Replayed, id: string, unknown: string): Reply {
  if (done.is === 'unknown') return refuse(404, unknown)
  if (done.is === 'forgotten') return refuse(410, forgotten)
  const answer: ReplayAnswer = { id, replayed: true, number: done.number }
  return accepted(answer)
}

async function firstOf(journal: Journal, filter: DeliveryFilter, cap: number): Promise<{ items: DeliveryRecord[]; more: boolean }> {
  const items: DeliveryRecord[] = []
  for (let after: string | undefined; ; ) {
    const page = await journal.deliveries({ ...filter, limit: cap - items.length, ...(after === undefined ? {} : { after }) })
    items.push(...page.items)
    after = page.next
    if (after === undefined || items.length >= cap) return { items, more: after !== undefined }
  }
}
