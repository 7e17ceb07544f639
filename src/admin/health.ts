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
  /** Whether the bot's token may write: only `too narrow` is bad. */
  scope: () => Condition
  log: Logger
}

// Fixed words: whoever reaches the port may read them. What the queue and the service said themselves is in the log.
const reasons = {
  queue: 'The queue does not answer.',
  room: 'The queue’s store is nearly full, or could not take the last delivery.',
  token: 'The hosting service rejects the bot’s token.',
  scope: 'The bot’s token may not write: it needs the scope api.',
}

/**
 * The routes /healthz (always 200 while the process lives) and /readyz: 503 with the failed checks and a sentence for each when the queue is
 * away (`queue`), its store is nearly full (`room`), or the service takes the bot's token no more (`token`) or lets it only read (`scope`). A
 * service that is away for a while is told, but does not count: deliveries are taken, and wait. Nor does a scope that is not known.
 */
export function health({ queue, room, service, scope, log }: HealthOptions): Router {
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
      scope: scope().is !== 'too narrow',
    }
    const failed = (Object.keys(checks) as (keyof typeof checks)[]).filter((name) => !checks[name])
    const known = { service: service().is, scope: scope().is }
    if (failed.length === 0) return void response.json({ status: 'ready', queue: queue.kind, ...known })
    const told = { room: room().reason, service: service().reason, scope: scope().reason }
    log.warn({ event: 'not ready', failed, err: away, ...told }, `not ready: ${failed.join(', ')}`)
    response.status(503).json({ status: 'not ready', failed, reasons: failed.map((name) => reasons[name]), ...known })
  })
  return router
}
