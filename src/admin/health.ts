// Health for orchestrators: /healthz says that the process responds, /readyz that it can accept and do work.
import { Router } from 'express'
import type { Logger } from 'pino'
import type { Queues } from '../queue/types.ts'

interface Condition {
  is: string
  reason?: string
}

/** Of one hosting service. */
export interface ServiceHealth {
  /** Whether its deliveries can be accepted: only `available` is good. */
  capacity: () => Condition
  service: () => Condition
  /** Whether the bot's token may write: only `too narrow` is bad. */
  scope: () => Condition
}

export interface HealthOptions {
  queue: Pick<Queues, 'ping' | 'kind'>
  /** Where the journal has a database of its own. */
  journal?: { ping(): Promise<void> } | undefined
  /** By their names in refs. */
  services: ReadonlyMap<string, ServiceHealth>
  /** The process stops: it is to get no more requests, and answers those that come. */
  isStopping: () => boolean
  log: Logger
}

// Fixed texts: /readyz needs no authentication. The log has the errors themselves.
const reasons = {
  stopping: 'The process is stopping.',
  queue: 'The queue does not respond.',
  capacity: 'The queue’s store is nearly full, or could not store the last delivery.',
  token: 'The hosting service rejects the bot’s token.',
  scope: 'The bot’s token may not write: it needs the scope api.',
}

/**
 * The routes /healthz (always 200) and /readyz: 503 with the failed checks, a sentence for each. An unreachable service, an unreachable
 * journal and an unknown scope fail no check: deliveries are accepted, and wait. A check fails only if it fails for every service, so that one cannot take the process down.
 */
export function health({ queue, journal, services, isStopping, log }: HealthOptions): Router {
  const router = Router()
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' })
  })
  router.get('/readyz', async (_request, response) => {
    // Not logged: nothing is wrong.
    if (isStopping()) {
      const body = { status: 'not ready', failed: ['stopping'], reasons: [reasons.stopping] }
      return void response.status(503).json(body)
    }
    const [queueError, journalError] = await Promise.all([errorOf(queue.ping()), errorOf(journal?.ping())])
    const all = [...services].map(([name, { capacity, service, scope }]) => ({
      name,
      capacity: capacity(),
      service: service(),
      scope: scope(),
    }))
    const checks = {
      queue: queueError === undefined,
      capacity: all.some(({ capacity }) => capacity.is === 'available'),
      token: all.some(({ service }) => service.is !== 'token_rejected'),
      scope: all.some(({ scope }) => scope.is !== 'too_narrow'),
    }
    const failed = (Object.keys(checks) as (keyof typeof checks)[]).filter((name) => !checks[name])
    const [first, ...others] = all
    const known =
      first !== undefined && others.length === 0
        ? { service: first.service.is, scope: first.scope.is }
        : {
            services: Object.fromEntries(
              all.map(({ name, capacity, service, scope }) => [
                name,
                { service: service.is, scope: scope.is, capacity: capacity.is },
              ]),
            ),
          }
    if (journalError !== undefined)
      log.warn({ event: 'journal_unreachable', err: journalError }, 'the journal is unreachable: deliveries wait')
    const stores = { queue: queue.kind, ...(journal === undefined ? {} : journalState(journalError)) }
    if (failed.length === 0) return void response.json({ status: 'ready', ...stores, ...known })
    const details = all.map(({ name, capacity, service, scope }) => ({
      name,
      capacity: capacity.reason,
      service: service.reason,
      scope: scope.reason,
    }))
    log.warn({ event: 'not_ready', failed, err: queueError, services: details }, `not ready: ${failed.join(', ')}`)
    response.status(503).json({ status: 'not ready', failed, reasons: failed.map((name) => reasons[name]), ...known })
  })
  return router
}

const journalState = (error: unknown) =>
  error === undefined
    ? { journal: 'available' }
    : {
        journal: 'unreachable',
        waits: 'The database of the journal does not respond: deliveries are accepted, and wait.',
      }

async function errorOf(asked: Promise<void> | undefined): Promise<unknown> {
  try {
    await asked
  } catch (error) {
    return error
  }
}
