// Jobs in PostgreSQL, over a pg.Pool or PGlite behind the same shape.
import {
  type Queue as BullQueue,
  type Worker as BullWorker,
  createPostgresBackend,
  type PgPool,
  Queue,
  runMigrations,
  Worker,
} from 'bullmq'
import { Pool } from 'pg'
import type { ReadApart } from './body-apart.ts'
import { AGED_AT_MOST, type BullStore, DAY_S, JOB_OPTIONS, MEASURED_AT_MOST, type ReplaceData } from './bullmq-store.ts'
import { asError, QueueUnavailable, withoutCredentials } from './errors.ts'
import type { SqlPool } from './types.ts'

/** BullMQ names its schema so where it is given a pool, and its statements find it by the search path alone. */
export const BULLMQ_SCHEMA = 'bullmq'

// The size as it is stored is known without reading what is stored.
const BACKLOG = `
  SELECT count(*) AS measured, coalesce(sum(pg_column_size(data)), 0) AS bytes,
    (SELECT count(*) FROM ${BULLMQ_SCHEMA}.job WHERE queue = $1 AND state IN ('waiting', 'delayed')) AS jobs
  FROM (SELECT data FROM ${BULLMQ_SCHEMA}.job WHERE queue = $1 AND state IN ('waiting', 'delayed') LIMIT $2) AS first`

// Each state in the order of an index of its own.
const OLDEST = Object.entries({ waiting: 'priority, seq', active: 'locked_until_ms', delayed: 'process_at_ms', failed: 'finished_at_ms' })
  .map(
    ([state, order]) =>
      `SELECT '${state}' AS state, min(added_at_ms) AS added
       FROM (SELECT added_at_ms FROM ${BULLMQ_SCHEMA}.job WHERE queue = $1 AND state = '${state}' ORDER BY ${order} LIMIT $2) AS first`,
  )
  .join(' UNION ALL ')

const DROP_OLDEST = `
  DELETE FROM ${BULLMQ_SCHEMA}.job WHERE queue = $1 AND id IN (
    SELECT id FROM ${BULLMQ_SCHEMA}.job WHERE queue = $1 AND state = $2 ORDER BY finished_at_ms DESC, seq DESC OFFSET $3)`

type ToldOfErrors = (message: string, error: Error) => void

/** No name is a body here. */
const replaceData: ReplaceData = (job, data) => job.updateData(data)
/** And none stands beside its job. */
const readApart: ReadApart = async () => null

/** Puts BullMQ over a pool; `close` ends what lies behind the pool. */
export async function sqlStore(given: {
  kind: 'postgres' | 'embedded'
  pool: SqlPool
  log: ToldOfErrors
  space?: BullStore['space']
  close(): Promise<void>
}): Promise<BullStore> {
  // The pool has the events that BullMQ listens to as well; the shape that the house shares does not speak of them.
  const pool = given.pool as unknown as PgPool
  const client = await pool.connect()
  try {
    await runMigrations(client, BULLMQ_SCHEMA)
  } finally {
    client.release()
  }
  return {
    kind: given.kind,
    // By age alone: this backend looks at all that are kept whenever one more ends, where their number is limited.
    jobOptions: { ...JOB_OPTIONS, removeOnComplete: { age: DAY_S }, removeOnFail: { age: 30 * DAY_S } },
    connection: { kind: 'postgres', pool: given.pool },
    queue(name) {
      const queue = new Queue(name, { connection: pool }, createPostgresBackend)
      queue.on('error', (error) => given.log(`The queue ${name} has lost its store: ${error.message}`, error))
      return queue as unknown as BullQueue
    },
    worker(name, processor, options) {
      const worker = new Worker(name, processor, { ...options, connection: pool }, createPostgresBackend) as unknown as BullWorker
      return { worker, replaceData, readApart, close: () => worker.disconnect() }
    },
    replaceData,
    readApart,
    async takePendingAdd(lane, key) {
      const taken = await given.pool.query(`DELETE FROM ${BULLMQ_SCHEMA}.dedup_next WHERE queue = $1 AND dedup_id = $2 RETURNING 1`, [
        lane,
        key,
      ])
      return taken.rows.length > 0
    },
    async busy(lane, before) {
      const is = `state IN ('waiting', 'active') OR state = 'delayed' AND process_at_ms < $2`
      const text = `SELECT count(*) AS jobs FROM ${BULLMQ_SCHEMA}.job WHERE queue = $1 AND (${is})`
      const { rows } = await given.pool.query<{ jobs: unknown }>(text, [lane, before])
      return Number(rows[0]?.jobs)
    },
    async nameOf(lane, id) {
      const { rows } = await given.pool.query<{ name: string }>(`SELECT name FROM ${BULLMQ_SCHEMA}.job WHERE queue = $1 AND id = $2`, [
        lane,
        id,
      ])
      return rows[0]?.name
    },
    async dropOldest(lane, kept) {
      for (const [state, most] of Object.entries(kept)) await given.pool.query(DROP_OLDEST, [lane, state, most])
    },
    async backlog(lane) {
      const { rows } = await given.pool.query<{ jobs: unknown; measured: unknown; bytes: unknown }>(BACKLOG, [lane, MEASURED_AT_MOST])
      const [jobs = 0, measured = 0, bytes = 0] = [rows[0]?.jobs, rows[0]?.measured, rows[0]?.bytes].map(Number)
      return { jobs, bytes: Math.round(bytes * (jobs / Math.max(measured, 1))) }
    },
    async oldest(lane) {
      const { rows } = await given.pool.query<{ state: string; added: unknown }>(OLDEST, [lane, AGED_AT_MOST])
      return Object.fromEntries(rows.flatMap(({ state, added }) => (added === null ? [] : [[state, Number(added)]])))
    },
    ping: async () => void (await given.pool.query('SELECT 1')),
    space: given.space ?? (async () => ({})),
    close: given.close,
  }
}

/** Opens a PostgreSQL server as the store. */
export async function openPostgres(given: { url: string; log: ToldOfErrors }): Promise<BullStore> {
  const pool = new Pool({
    connectionString: given.url,
    // Each worker keeps one connection to listen on.
    max: 20,
    connectionTimeoutMillis: 1_000,
    query_timeout: 10_000,
    keepAlive: true,
    options: `-c search_path=${BULLMQ_SCHEMA}`,
  })
  pool.setMaxListeners(0)
  pool.on('error', (error) => given.log(`The connection to ${withoutCredentials(given.url)} is lost: ${error.message}`, error))
  try {
    return await sqlStore({ kind: 'postgres', pool: pool as unknown as SqlPool, log: given.log, close: () => endPool(pool) })
  } catch (thrown) {
    await endPool(pool)
    const cause = asError(thrown)
    throw new QueueUnavailable(`The PostgreSQL at ${withoutCredentials(given.url)} cannot be used: ${cause.message}`, { cause })
  }
}

/** A client that a hanging worker never gave back must not keep the process from ending. */
async function endPool(pool: Pool): Promise<void> {
  await Promise.race([pool.end(), new Promise((resolve) => setTimeout(resolve, 1_000).unref())])
}
