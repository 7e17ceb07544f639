// Health for orchestrators: /healthz says that the process answers, /readyz that it can take and do work.
import { Router } from 'express'
import type { Logger } from 'pino'
import type { Queue } from '../queue/types.ts'

interface Condition {
  is: string
  reason?: string
}

export interface HealthOptions {
  queue: Pick<Queue, 'ping' | 'kind'>
  /** Whether deliveries can be taken: `free` is good. */
  room: () => Condition
  /** What is known of the hosting service. */
  service: () => Condition
  log: Logger
}

/**
 * The routes /healthz (always 200 while the process lives) and /readyz: 503 with the names of the failed checks when the queue is away
 * (`queue`), its store is nearly full (`room`), or the service takes the bot's token no more (`token`). A service that is away for a
 * while does not count: deliveries are taken, and wait.
 */
export function health({ queue, room, service, log }: HealthOptions): Router {
  const router = Router()
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' })
  })
  router.get('/readyz', async (_request, response) => {
    const away = await queue.ping().then(
      () => undefined,
      (error: unknown) => error,
    )
    const checks = {
      queue: away === undefined,
      room: room().is === 'free',
      token: service().is !== 'token rejected',
    }
    const failed = Object.entries(checks).flatMap(([name, isFine]) => (isFine ? [] : [name]))
    if (failed.length === 0) return void response.json({ status: 'ready', queue: queue.kind })
    log.warn({ event: 'not ready', failed, err: away, room: room().reason, service: service().reason }, `not ready: ${failed.join(', ')}`)
    response.status(503).json({ status: 'not ready', failed })
  })
  return router
}
