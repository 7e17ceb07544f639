// Deliveries: what came in, and what became of it.
import * as z from 'zod'
import type { DecisionRecord, DeliveryRecord, Journal } from '../../journal/types.ts'
import { byId, deliveryFilter, nothing, paged, readDeliveryFilter, withoutUndefined } from '../inputs.ts'
import { maskedBody } from '../masked.ts'
import { ok, refuse, route } from '../route.ts'
import * as shapes from '../shapes.ts'
import { failedJobs, type JobAnswer, job, mostLookedAt, shownJob } from '../shown-jobs.ts'

/** What is answered for one delivery: the record, and the decisions that settled its events or replayed it, oldest first. */
export interface DeliveryAnswer {
  delivery: DeliveryRecord
  /** The job that reads it, while the queue keeps it: it tells why a reading failed. */
  job?: JobAnswer
  /** Jobs of its merge requests that failed, newest first: they tell why there is no decision. */
  failedJobs: JobAnswer[]
  /** More jobs failed than were looked at for that. */
  moreFailed: boolean
  decisions: DecisionRecord[]
}

export const unknownDelivery = 'There is no delivery of that id.'
const noBody = 'There is no delivery of that id, or its body is not kept any more (BELLHOP_BODY_HOURS).'
/** Each holds the traces of all rules. */
const mostDecisions = 200

export const deliveryRoutes = [
  route({
    name: 'list_deliveries',
    method: 'get',
    path: '/deliveries',
    scope: 'read',
    doc: 'Deliveries, newest first.',
    params: nothing,
    input: z.strictObject({ ...deliveryFilter, ...paged }),
    answers: { 200: shapes.page(shapes.delivery) },
    async handle({ input: { limit, after, ...input } }, { journal, service }) {
      const filter = readDeliveryFilter(input, service)
      if (typeof filter === 'string') return refuse(400, filter)
      return ok(await journal.deliveries({ ...filter, ...withoutUndefined({ limit, after }) }))
    },
  }),
  route({
    name: 'show_delivery',
    method: 'get',
    path: '/deliveries/{id}',
    scope: 'read',
    doc: `One delivery, the decisions that settled its events or replayed it, oldest first (of more than 200 the newest), and the failed jobs of its merge requests (among the newest ${mostLookedAt} of each lane).`,
    params: byId,
    input: nothing,
    answers: {
      200: z.object({
        delivery: shapes.delivery,
        job: job.optional(),
        failedJobs: z.array(job),
        moreFailed: z.boolean(),
        decisions: z.array(shapes.decision),
      }),
    },
    refusals: { 404: unknownDelivery },
    async handle({ params }, { journal, lanes }) {
      const delivery = await journal.delivery(params.id)
      if (delivery === undefined) return refuse(404, unknownDelivery)
      const reading = await lanes.deliveries.get(delivery.id)
      const its = new Set(delivery.mergeRequests.map(nameOf))
      const failed = its.size === 0 ? { items: [], more: false } : await failedJobs(lanes, (about) => its.has(nameOf(about)))
      const answer: DeliveryAnswer = {
        delivery,
        ...(reading === undefined ? {} : { job: shownJob('deliveries', reading) }),
        failedJobs: failed.items,
        moreFailed: failed.more,
        decisions: await decisionsOf(journal, delivery.id),
      }
      return ok(answer)
    },
  }),
  route({
    name: 'show_body',
    method: 'get',
    path: '/deliveries/{id}/body',
    scope: 'read',
    doc: 'The body of a delivery, while it is kept; CI variables and what looks like a secret are masked.',
    params: byId,
    input: nothing,
    answers: { 200: z.object({ body: z.unknown() }) },
    refusals: { 404: noBody },
    async handle({ params }, { journal }) {
      const body = await journal.body(params.id)
      return body === undefined ? refuse(404, noBody) : ok({ body: maskedBody(body) })
    },
  }),
]

const nameOf = ({ project, iid }: { project: number; iid: number }) => `${project}!${iid}`

/** Oldest first. */
export async function decisionsOf(journal: Journal, delivery: string): Promise<DecisionRecord[]> {
  const { items } = await journal.decisions({ delivery, limit: mostDecisions })
  return items.reverse()
}
