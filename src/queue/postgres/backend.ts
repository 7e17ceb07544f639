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
import { AGED_AT_MOST, MEASURED_AT_MOST, type QueueBackend } from '../bullmq/backend.ts'
import { asError, QueueUnavailable, withoutCredentials } from '../errors.ts'
import type { SqlPool } from '../types.ts'
import { asSqlPool, endPool, openPool } from './pool.ts'

/** BullMQ's name for its schema when it gets a pool; its statements find the schema by the search path only. */
export const BULLMQ_SCHEMA = 'bullmq'
const JOURNAL_SCHEMA = 'bellhop'

// pg_column_size does not read the data.
const BACKLOG = `
  SELECT count(*) AS measured, coalesce(sum(pg_column_size(data)), 0) AS bytes,
    (SELECT count(*) FROM ${BULLMQ_SCHEMA}.job WHERE queue = $1 AND state IN ('waiting', 'delayed')) AS jobs
  FROM (SELECT data FROM ${BULLMQ_SCHEMA}.job WHERE queue = $1 AND state IN ('waiting', 'delayed') LIMIT $2) AS first`

// Each state in the order of its index.
const OLDEST = Object.entries({
  waiting: 'priority, seq',
  active: 'locked_until_ms',
  delayed: 'process_at_ms',
  failed: 'finished_at_ms',
})
  .map(
    ([state, order]) =>
      `SELECT '${state}' AS state, min(added_at_ms) AS added
       FROM (SELECT added_at_ms FROM ${BULLMQ_SCHEMA}.job WHERE queue = $1 AND state = '${state}'
             ORDER BY ${order} LIMIT $2) AS first`,
  )
  .join(' UNION ALL ')

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
    async takePendingAdd(queueName, key) {
      const taken = await given.pool.query(
        `DELETE FROM ${BULLMQ_SCHEMA}.dedup_next WHERE queue = $1 AND dedup_id = $2 RETURNING 1`,
        [queueName, key],
      )
      return taken.rows.length > 0
    },
    async busy(queueName, before) {
      const is = `state IN ('waiting', 'active') OR state = 'delayed' AND process_at_ms < $2`
      const text = `SELECT count(*) AS jobs FROM ${BULLMQ_SCHEMA}.job WHERE queue = $1 AND (${is})`
      const { rows } = await given.pool.query<{ jobs: unknown }>(text, [queueName, before])
      return Number(rows[0]?.jobs)
    },
    // BullMQ never deletes an expired key here.
    keepsDoneJobs: true,
    async nameOf(queueName, id) {
      const { rows } = await given.pool.query<{ name: string }>(
        `SELECT name FROM ${BULLMQ_SCHEMA}.job WHERE queue = $1 AND id = $2`,
        [queueName, id],
      )
      return rows[0]?.name
    },
    async addedAt(queueName, id) {
      const { rows } = await given.pool.query<{ added: unknown }>(
        `SELECT added_at_ms AS added FROM ${BULLMQ_SCHEMA}.job WHERE queue = $1 AND id = $2`,
        [queueName, id],
      )
      return rows[0] === undefined ? undefined : Number(rows[0].added)
    },
    async backlog(queueName) {
      const { rows } = await given.pool.query<{ jobs: unknown; measured: unknown; bytes: unknown }>(BACKLOG, [
        queueName,
        MEASURED_AT_MOST,
      ])
      const [jobs = 0, measured = 0, bytes = 0] = [rows[0]?.jobs, rows[0]?.measured, rows[0]?.bytes].map(Number)
      return { jobs, bytes: Math.round(bytes * (jobs / Math.max(measured, 1))) }
    },
    async oldest(queueName) {
      const { rows } = await given.pool.query<{ state: string; added: unknown }>(OLDEST, [queueName, AGED_AT_MOST])
      return Object.fromEntries(rows.flatMap(({ state, added }) => (added === null ? [] : [[state, Number(added)]])))
    },
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
