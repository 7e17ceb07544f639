// Health for orchestrators: /healthz says that the process answers, /readyz that it can take and do work.
import { Router } from 'express'
import type { Logger } from 'pino'
import type { Queue } from '../queue/types.ts'

interface Condition {
  is: string
  reason?: string
}

/** Of one hosting service. */
export interface ServiceHealth {
  /** Whether its deliveries can be taken: `free` is good. */
  room: () => Condition
  /** What is known of it. */
  service: () => Condition
  /** Whether the bot's token may write: only `too narrow` is bad. */
  scope: () => Condition
}

export interface HealthOptions {
  queue: Pick<Queue, 'ping' | 'kind'>
  /** By their names in refs. */
  services: ReadonlyMap<string, ServiceHealth>
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
 * service that is away for a while is told, but does not count: deliveries are taken, and wait. Nor does a scope that is not known. Of several
 * services all must fail a check: what is wrong with one must not take the process away from the others.
 */
export function health({ queue, services, log }: HealthOptions): Router {
  const router = Router()
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' })
  })
  router.get('/readyz', async (_request, response) => {
    const away = await queue.ping().then(
      () => undefined,
      (error: unknown) => error,
    )
    const all = [...services].map(([name, { room, service, scope }]) => ({ name, room: room(), service: service(), scope: scope() }))
    const checks = {
      queue: away === undefined,
      room: all.some(({ room }) => room.is === 'free'),
      token: all.some(({ service }) => service.is !== 'token rejected'),
      scope: all.some(({ scope }) => scope.is !== 'too narrow'),
    }
    const failed = (Object.keys(checks) as (keyof typeof checks)[]).filter((name) => !checks[name])
    const [first, ...others] = all
    // One alone needs no word of its room: it is what `failed` tells.
    const known =
      first !== undefined && others.length === 0
        ? { service: first.service.is, scope: first.scope.is }
        : {
            services: Object.fromEntries(
              all.map(({ name, room, service, scope }) => [name, { service: service.is, scope: scope.is, room: room.is }]),
            ),
          }
    if (failed.length === 0) return void response.json({ status: 'ready', queue: queue.kind, ...known })
    const told = all.map(({ name, room, service, scope }) => ({ name, room: room.reason, service: service.reason, scope: scope.reason }))
    log.warn({ event: 'not ready', failed, err: away, services: told }, `not ready: ${failed.join(', ')}`)
    response.status(503).json({ status: 'not ready', failed, reasons: failed.map((name) => reasons[name]), ...known })
  })
  return router
}
