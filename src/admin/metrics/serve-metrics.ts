// GET /metrics, and the counting of what web hooks are answered.
import { Router } from 'express'
import { prometheusContentType } from 'prom-client'
import type { Door } from '../authenticate.ts'
import type { DeskLane, LaneName } from '../desk.ts'
import { lacking } from '../perform.ts'
import type { Metrics } from './metrics.ts'
import { queueDepth } from './queue-depth.ts'

export interface ServeMetricsOptions {
  metrics: Metrics
  /** Absent: everybody may read them. */
  door?: Door
  lanes: Record<LaneName, Pick<DeskLane, 'counts' | 'oldest'>>
  /** How the hosting service is to this process. */
  service: () => { is: string }
  now: () => number
}

/** The route; 401 without an admin token where there is a door, 403 where the token has not the scope `read`. Stands before the routes of hooks, whose answers it counts. */
export function serveMetrics({ metrics, door, lanes, service, now }: ServeMetricsOptions): Router {
  const router = Router()
  const depth = queueDepth(lanes, now)
  router.use('/hooks', (_request, response, next) => {
    response.once('finish', () => metrics.answered(response.statusCode))
    next()
  })
  router.get('/metrics', async (request, response) => {
    response.set('Cache-Control', 'no-store')
    if (door !== undefined) {
      const token = door.enter(request, response)
      if (token === undefined) return
      if (!token.scopes.includes('read')) return void response.status(403).json({ error: lacking(token.name, 'read') })
    }
    const text = await metrics.text({ depth: await depth(), service: service().is })
    response.set('Content-Type', prometheusContentType).send(text)
  })
  return router
}
