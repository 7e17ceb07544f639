// GET /metrics.
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
  /** By their names in refs: the lanes of each, and how it is to this process. */
  services: ReadonlyMap<string, { lanes: Record<LaneName, Pick<DeskLane, 'counts' | 'oldest'>>; service: () => { is: string } }>
  now: () => number
}

/** The route; 401 without an admin token where there is a door, 403 where the token has not the scope `read`. */
export function serveMetrics({ metrics, door, services, now }: ServeMetricsOptions): Router {
  const router = Router()
  const asked = [...services].map(([name, { lanes, service }]) => ({ name, depth: queueDepth(lanes, now), service }))
  router.get('/metrics', async (request, response) => {
    response.set('Cache-Control', 'no-store')
    if (door !== undefined) {
      const token = door.enter(request, response)
      if (token === undefined) return
      if (!token.scopes.includes('read')) return void response.status(403).json({ error: lacking(token.name, 'read') })
    }
    const found = await Promise.all(
      asked.map(async ({ name, depth, service }) => [name, { depth: await depth(), is: service().is }] as const),
    )
    response.set('Content-Type', prometheusContentType).send(await metrics.text(new Map(found)))
  })
  return router
}
