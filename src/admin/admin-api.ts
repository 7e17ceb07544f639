// The admin API: deliveries and decisions to read, deliveries to replay, sweeps to ask for. No write by GET.
import { Router } from 'express'
import { z } from 'zod'
import type { DecisionRecord, DeliveryRecord, Journal, SweepRecord } from '../journal/types.ts'
import { authenticate } from './authenticate.ts'

export interface AdminApiOptions {
  journal: Journal
  token: string | undefined
  /** Puts a delivery back in line; false when there is none of that id. */
  replay: (deliveryId: string, by: string) => Promise<'replayed' | 'unknown' | 'forgotten'>
  /** Asks for a sweep of a project or group. */
  sweep: (of: string, dryRun: boolean) => Promise<SweepRecord>
}

const integer = z.coerce.number().int().positive()
const listQuery = z.strictObject({
  project: integer.optional(),
  state: z.enum(['received', 'read', 'uninteresting', 'unreadable', 'refused']).optional(),
  limit: integer.max(200).default(50),
  after: z.string().max(500).optional(),
})
const decisionQuery = z.strictObject({
  service: z.string().max(200).optional(),
  project: integer.optional(),
  iid: integer.optional(),
  limit: integer.max(200).default(50),
  after: z.string().max(500).optional(),
})

const sweepQuery = z.strictObject({
  of: z.string().trim().min(1).max(500),
  dry_run: z.enum(['true', 'false']).default('false'),
})

/** What the admin API answers for one delivery: the record and the decisions that settled its events. */
export interface DeliveryAnswer {
  delivery: DeliveryRecord
  decisions: DecisionRecord[]
}

/** The routes under /admin/api: 401 without the token, 404 for unknown ids, 400 for a filter that is not understood. */
export function adminApi({ journal, token, replay, sweep }: AdminApiOptions): Router {
  const router = Router()
  router.use('/admin/api', authenticate(token))

  router.get('/admin/api/deliveries', async (request, response) => {
    const query = listQuery.safeParse(request.query)
    if (!query.success) return void response.status(400).json({ error: z.prettifyError(query.error) })
    response.json(await journal.deliveries(withoutUndefined(query.data)))
  })

  router.get('/admin/api/deliveries/:id', async (request, response) => {
    const delivery = await journal.delivery(request.params.id)
    if (delivery === undefined) return void response.status(404).json(noDelivery)
    const answer: DeliveryAnswer = { delivery, decisions: await decisionsOf(journal, delivery) }
    response.json(answer)
  })

  router.post('/admin/api/deliveries/:id/replay', async (request, response) => {
    const replayed = await replay(request.params.id, 'admin')
    if (replayed === 'unknown') return void response.status(404).json(noDelivery)
    if (replayed === 'forgotten') return void response.status(410).json(noBody)
    response.status(202).json({ id: request.params.id, replayed: true })
  })

  router.get('/admin/api/decisions', async (request, response) => {
    const query = decisionQuery.safeParse(request.query)
    if (!query.success) return void response.status(400).json({ error: z.prettifyError(query.error) })
    const { service, project, iid, ...rest } = withoutUndefined(query.data)
    const named = [service, project, iid].filter((each) => each !== undefined).length
    if (service !== undefined && project !== undefined && iid !== undefined) {
      response.json(await journal.decisions({ ...rest, mergeRequest: { service, project, iid } }))
    } else if (named === 0) response.json(await journal.decisions(rest))
    // Half a name is refused: the answer to another question would look like the one to this.
    else response.status(400).json({ error: 'A merge request is named by service, project and iid together.' })
  })

  router.get('/admin/api/decisions/:id', async (request, response) => {
    const decision = await journal.decision(request.params.id)
    if (decision === undefined) return void response.status(404).json({ error: 'There is no decision of that id.' })
    response.json(decision)
  })

  router.post('/admin/api/sweeps', async (request, response) => {
    const query = sweepQuery.safeParse(request.query)
    if (!query.success) return void response.status(400).json({ error: z.prettifyError(query.error) })
    response.status(202).json(await sweep(query.data.of, query.data.dry_run === 'true'))
  })

  router.get('/admin/api/sweeps/:id', async (request, response) => {
    const found = await journal.sweep(request.params.id)
    if (found === undefined)
      return void response.status(404).json({ error: 'There is no sweep of that id, or it was longer ago than a day.' })
    response.json(found)
  })
  return router
}

const noBody = { error: 'It concerned no merge request, and its body is not kept any more: there is nothing to judge again.' }
const noDelivery = { error: 'There is no delivery of that id.' }

async function decisionsOf(journal: Journal, delivery: DeliveryRecord): Promise<DecisionRecord[]> {
  const found: DecisionRecord[] = []
  for (const mergeRequest of delivery.mergeRequests) {
    const { items } = await journal.decisions({ mergeRequest, limit: 200 })
    found.push(...items.filter((decision) => decision.deliveries.includes(delivery.id)))
  }
  return found
}

type Defined<T> = { [K in keyof T]: Exclude<T[K], undefined> }

function withoutUndefined<T extends object>(value: T): Defined<T> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Defined<T>
}
