// Health for orchestrators: /healthz says that the process responds, /readyz that it can accept and do work.
import { type Response, Router } from 'express'
import type { Logger } from 'pino'
import { type JournalTrouble, JournalUnavailable } from '../journal/errors.ts'
import type { Queues } from '../queue/types.ts'

interface Condition {
  is: string
  reason?: string
}

export interface HealthOptions {
  /** Whether deliveries can be accepted: only `available` is good. */
  capacity: () => Condition
  /** Absent in a receiver, as is the scope: it calls no service. */
  service?: () => Condition
  /** Whether the bot's token may write: only `too narrow` is bad. */
  scope?: () => Condition
  queue: Pick<Queues, 'ping' | 'kind'>
  /** Present if the journal has a database of its own. */
  journal?: { ping(): Promise<void> }
  /** The process stops: it should get no more requests, but answers those that come. */
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
 * The routes /healthz (always 200) and /readyz: 503 with a sentence for each failed check. An unreachable service,
 * a journal in trouble and an unknown scope fail no check: deliveries are accepted, and wait.
 *
 * /readyz/deliveries checks only what prevents this process from accepting deliveries. The other checks fail in all
 * receivers at once: a load balancer that left out all of them would lose what they still accept.
 */
export function health({ queue, journal, isStopping, log, ...conditions }: HealthOptions): Router {
  const router = Router()
  /** A probe asks every few seconds: only a change is logged. */
  let logged: JournalCondition = 'available'
  router.get('/healthz', (_request, response) => {
    response.json({ status: 'ok' })
  })
  router.get('/readyz', async (_request, response) => {
    // Not logged: nothing is wrong.
    if (isStopping()) return notReady(response, ['stopping'])
    const [queueError, journalError] = await Promise.all([errorOf(queue.ping()), errorOf(journal?.ping())])
    const [capacity, service, scope] = [conditions.capacity(), conditions.service?.(), conditions.scope?.()]
    const checks = {
      queue: queueError === undefined,
      capacity: capacity.is === 'available',
      token: service?.is !== 'token_rejected',
      scope: scope?.is !== 'too_narrow',
    }
    const failed = (Object.keys(checks) as (keyof typeof checks)[]).filter((name) => !checks[name])
    const known = { service: service?.is, scope: scope?.is }
    const journalIs = conditionOf(journalError)
    if (journalIs !== logged) logJournal(log, journalIs, journalError)
    logged = journalIs
    const waits = journalIs === 'available' ? undefined : `${troubles[journalIs]}: deliveries are accepted, and wait.`
    const stores = { queue: queue.kind, journal: journal && journalIs, waits }
    if (failed.length === 0) return void response.json({ status: 'ready', ...stores, ...known })
    const details = { capacity: capacity.reason, service: service?.reason, scope: scope?.reason }
    log.warn({ event: 'not_ready', failed, err: queueError, ...details }, `not ready: ${failed.join(', ')}`)
    notReady(response, failed, known)
  })
  router.get('/readyz/deliveries', async (_request, response) => {
    if (isStopping()) return notReady(response, ['stopping'])
    const err = await errorOf(queue.ping())
    if (err === undefined) return void response.json({ status: 'ready', queue: queue.kind })
    log.warn({ event: 'not_ready', failed: ['queue'], err }, 'not ready: queue')
    notReady(response, ['queue'])
  })
  return router
}

function notReady(response: Response, failed: (keyof typeof reasons)[], known: object = {}): void {
  response.status(503).json({ status: 'not ready', failed, reasons: failed.map((name) => reasons[name]), ...known })
}

type JournalCondition = 'available' | JournalTrouble

const troubles: Record<JournalTrouble, string> = {
  unreachable: 'The database of the journal does not respond',
  read_only: 'The database of the journal only reads',
  full: 'The disk of the journal’s database is full',
  failing: 'The database of the journal refuses what is written',
}

const conditionOf = (error: unknown): JournalCondition =>
  error === undefined ? 'available' : error instanceof JournalUnavailable ? error.trouble : 'unreachable'

function logJournal(log: Logger, is: JournalCondition, error: unknown): void {
  if (is === 'available') log.info({ event: 'journal_available' }, 'the journal is available again')
  else log.warn({ event: 'journal_unavailable', reason: is, err: error }, `the journal is ${is}: deliveries wait`)
}

async function errorOf(asked: Promise<void> | undefined): Promise<unknown> {
  try {
    await asked
  } catch (error) {
    return error
  }
}
