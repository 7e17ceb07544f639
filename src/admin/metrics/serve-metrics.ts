// Serves GET /metrics.
import { Router } from 'express'
import { prometheusContentType } from 'prom-client'
import type { QueueName } from '../../queue/queue-names.ts'
import { onlineReplicas } from '../../queue/redis/replica.ts'
import type { StoreConnection } from '../../queue/types.ts'
import type { Authenticator } from '../access/authenticate.ts'
import type { AdminContext, AdminQueue } from '../admin-context.ts'
import { missingScope } from '../api/route.ts'
import { queueDepth } from '../queue-depth.ts'
import { mergeQueueTotals } from './merge-queue-totals.ts'
import type { Metrics } from './metrics.ts'
import { recentFigures } from './time-figure-metrics.ts'

export interface ServeMetricsOptions {
  metrics: Metrics
  /** Absent: no token is needed. */
  authenticator?: Authenticator
  /** By their names in refs. */
  services: ReadonlyMap<
    string,
    {
      queues: Record<QueueName, Pick<AdminQueue, 'counts' | 'oldest'>>
      admin: Pick<AdminContext, 'journal'>
      service: () => { is: string }
    }
  >
  /** Of the queue. */
  queue: StoreConnection
  now: () => number
}

/** The route; with an authenticator 401 without an admin token, and 403 if it lacks the scope `read`. */
export function serveMetrics({ metrics, authenticator, services, queue, now }: ServeMetricsOptions): Router {
  const router = Router()
  const read = [...services].map(([name, { queues, admin, service }]) => ({
    ...{ name, service, depth: queueDepth(queues, now) },
    mergeQueues: mergeQueueTotals(admin.journal, name, now),
    times: recentFigures(admin.journal, name, now),
  }))
  router.get('/metrics', async (request, response) => {
    response.set('Cache-Control', 'no-store')
    if (authenticator !== undefined) {
      const token = authenticator.authenticate(request, response)
      if (token === undefined) return
      if (!token.scopes.includes('read'))
        return void response.status(403).json({ error: missingScope(token.name, 'read') })
    }
    const found = await Promise.all(
      read.map(async ({ name, depth, mergeQueues, times, service }) => {
        const totals = { mergeQueues: await mergeQueues(), times: await times() }
        const snapshot = { depth: await depth(), ...totals, state: service().is }
        return [name, snapshot] as const
      }),
    )
    response
      .set('Content-Type', prometheusContentType)
      .send(await metrics.text(new Map(found), await replicasOf(queue)))
  })
  return router
}

/** Undefined where the queue is not in Redis, and while Redis does not answer: `bellhop_queue_up` says so. */
function replicasOf(queue: StoreConnection): Promise<number | undefined> {
  return queue.kind === 'redis' ? onlineReplicas(queue.redis).catch(() => undefined) : Promise.resolve(undefined)
}
