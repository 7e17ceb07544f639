// Serves GET /metrics.
import { Router } from 'express'
import { prometheusContentType } from 'prom-client'
import type { QueueName } from '../../queue/queue-names.ts'
import { onlineReplicas } from '../../queue/redis/replica.ts'
import type { StoreConnection } from '../../queue/types.ts'
import type { Authenticator } from '../access/authenticate.ts'
import type { AdminContext, AdminQueue } from '../admin-context.ts'
import { readDepth } from '../api/jobs.ts'
import { missingScope } from '../api/route.ts'
import { mergeQueueTotals } from './merge-queue-metrics.ts'
import { cached } from './metric-factory.ts'
import type { Metrics, Snapshot } from './metrics.ts'
import { recentFigures } from './time-figure-metrics.ts'

export interface ServeMetricsOptions {
  metrics: Metrics
  /** Absent: no token is needed. */
  authenticator?: Authenticator
  queues: Record<QueueName, Pick<AdminQueue, 'counts' | 'oldest'>>
  /** Absent in a receiver, which has no journal and calls no service. */
  totals?: () => Promise<Pick<Snapshot, 'mergeQueues' | 'times' | 'state'>>
  /** The connection to the queue's store. */
  queue: StoreConnection
}

/** The route; with an authenticator 401 without an admin token, and 403 if it lacks the scope `read`. */
export function serveMetrics(options: ServeMetricsOptions): Router {
  const router = Router()
  const { metrics, authenticator, totals, queue } = options
  const depth = cached(() => readDepth(options.queues, Date.now), { cacheMs: 1_000, now: Date.now })
  router.get('/metrics', async (request, response) => {
    response.set('Cache-Control', 'no-store')
    if (authenticator !== undefined) {
      const token = authenticator.authenticate(request, response)
      if (token === undefined) return
      if (!token.scopes.includes('read'))
        return void response.status(403).json({ error: missingScope(token.name, 'read') })
    }
    const snapshot = { depth: await depth(), ...(await totals?.()), replicas: await replicasOf(queue) }
    response.set('Content-Type', prometheusContentType).send(await metrics.text(snapshot))
  })
  return router
}

/** What the journal counts, and the state of the service. */
export function totalsOf(
  journal: AdminContext['journal'],
  service: () => { is: string },
): NonNullable<ServeMetricsOptions['totals']> {
  const mergeQueues = mergeQueueTotals(journal, Date.now)
  const times = recentFigures(journal, Date.now)
  return async () => ({ mergeQueues: await mergeQueues(), times: await times(), state: service().is })
}

/** Undefined if the queue is not in Redis, and while Redis does not answer: `bellhop_queue_up` says so. */
function replicasOf(queue: StoreConnection): Promise<number | undefined> {
  return queue.kind === 'redis' ? onlineReplicas(queue.redis).catch(() => undefined) : Promise.resolve(undefined)
}
