// Deliveries: what came in, what became of it, and once more.
import { z } from 'zod'
import type { DecisionRecord, DeliveryRecord, Journal } from '../../journal/types.ts'
import { byId, integer, nothing, paged, why, withoutUndefined } from '../inputs.ts'
import { accepted, ok, refuse, route } from '../route.ts'
import * as shapes from '../shapes.ts'

/** What is answered for one delivery: the record and the decisions that settled its events. */
export interface DeliveryAnswer {
  delivery: DeliveryRecord
  decisions: DecisionRecord[]
}

const unknownDelivery = 'There is no delivery of that id.'
const forgotten = 'It concerned no merge request, and its body is not kept any more: there is nothing to judge again.'

export const deliveryRoutes = [
  route({
    name: 'list_deliveries',
    method: 'get',
    path: '/deliveries',
    scope: 'read',
    doc: 'Deliveries, newest first.',
    params: nothing,
    input: z.strictObject({
      project: integer.optional(),
      state: z.enum(['received', 'read', 'uninteresting', 'unreadable', 'refused']).optional(),
      ...paged,
    }),
    answers: { 200: shapes.page(shapes.delivery) },
    handle: async ({ input }, { journal }) => ok(await journal.deliveries(withoutUndefined(input))),
  }),
  route({
    name: 'show_delivery',
    method: 'get',
    path: '/deliveries/{id}',
    scope: 'read',
    doc: 'One delivery, and the decisions that settled its events.',
    params: byId,
    input: nothing,
    answers: { 200: z.object({ delivery: shapes.delivery, decisions: z.array(shapes.decision) }) },
    refusals: { 404: unknownDelivery },
    async handle({ params }, { journal }) {
      const delivery = await journal.delivery(params.id)
      if (delivery === undefined) return refuse(404, unknownDelivery)
      const answer: DeliveryAnswer = { delivery, decisions: await decisionsOf(journal, delivery) }
      return ok(answer)
    },
  }),
  route({
    name: 'replay_delivery',
    method: 'post',
    path: '/deliveries/{id}/replay',
    scope: 'replay',
    doc: 'Judges its merge requests again, on the state as it is now; one that could not be read, or concerned nobody, is read again.',
    params: byId,
    input: z.strictObject({ why }),
    answers: { 202: z.object({ id: z.string(), replayed: z.literal(true) }) },
    refusals: { 404: unknownDelivery, 410: forgotten },
    async handle({ params: { id }, by }, { replay }) {
      const replayed = await replay(id, by)
      if (replayed === 'unknown') return refuse(404, unknownDelivery)
      if (replayed === 'forgotten') return refuse(410, forgotten)
      return accepted({ id, replayed: true })
    },
  }),
]

async function decisionsOf(journal: Journal, delivery: DeliveryRecord): Promise<DecisionRecord[]> {
  const found: DecisionRecord[] = []
  for (const mergeRequest of delivery.mergeRequests) {
    const { items } = await journal.decisions({ mergeRequest, limit: 200 })
    found.push(...items.filter((decision) => decision.deliveries.includes(delivery.id)))
  }
  return found
}
