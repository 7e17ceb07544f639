// The PostgreSQL backend, over a pg.Pool or PGlite in the same shape.
import {
  type Queue as BullQueue,
  type Worker as BullWorker,
  createPostgresBackend,
  type PgPool,
  Queue,
  runMigrations,
  Worker,
} from 'bullmq'
import type { QueueBackend } from '../bullmq/backend.ts'
import { BULLMQ_SCHEMA, postgresStorage } from '../bullmq/storage.ts'
import { asError, QueueUnavailable, withoutCredentials } from '../errors.ts'
import type { SqlPool } from '../types.ts'
import { asSqlPool, endPool, openPool } from './pool.ts'

const JOURNAL_SCHEMA = 'bellhop'

/**
 * An idle worker asks again after so many seconds. The one process of an embedded queue misses no notification, and a
 * worker knows when its next delayed job is due: this only limits how late jobs run after the computer has slept.
 */
const DRAIN_DELAY_S = { postgres: 5, embedded: 60 }

type LogError = (message: string, error: Error) => void

/** `close` ends the database connections behind the pool. */
export async function postgresBackend(given: {
  kind: 'postgres' | 'embedded'
  pool: SqlPool
  log: LogError
  space?: QueueBackend['space']
  close(): Promise<void>
}): Promise<QueueBackend> {
  // The pool also emits the events that BullMQ listens to, which SqlPool does not declare.
  const pool = given.pool as unknown as PgPool
  const client = await pool.connect()
  let isMigrated = false
  try {
    await runMigrations(client, BULLMQ_SCHEMA)
    isMigrated = true
  } finally {
    client.release(!isMigrated)
  }
  return {
    kind: given.kind,
    connection: {
      kind: 'postgres',
      pool: given.pool,
      // An embedded database is too small to need a partition for each day.
      tables: { schema: JOURNAL_SCHEMA, partitioned: given.kind === 'postgres' },
    },
    queue(name, options) {
      const queue = new Queue(name, { ...options, connection: pool }, createPostgresBackend)
      queue.on('error', (error) => given.log(`The queue ${name} has lost its backend: ${error.message}`, error))
      return queue as unknown as BullQueue
    },
    worker(name, processor, options) {
      const worker = new Worker(
        name,
        processor,
        { ...options, connection: pool, drainDelay: DRAIN_DELAY_S[given.kind] },
        createPostgresBackend,
      ) as unknown as BullWorker
      return { worker, close: () => worker.disconnect() }
    },
    storage: postgresStorage(given.pool),
    ping: async () => void (await given.pool.query('SELECT 1')),
    space: given.space ?? (async () => ({})),
    close: given.close,
  }
}

/** Throws QueueUnavailable. */
export async function openPostgres(given: { url: string; log: LogError }): Promise<QueueBackend> {
  // Each worker keeps a connection to listen on.
  const pool = openPool({ ...given, max: 20, searchPath: BULLMQ_SCHEMA })
  try {
    return await postgresBackend({
      kind: 'postgres',
      pool: asSqlPool(pool),
      log: given.log,
      close: () => endPool(pool),
    })
  } catch (thrown) {
    await endPool(pool)
    const cause = asError(thrown)
    throw new QueueUnavailable(`The PostgreSQL at ${withoutCredentials(given.url)} cannot be used: ${cause.message}`, {
      cause,
    })
  }
}
