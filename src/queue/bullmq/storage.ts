// All reads and writes of BullMQ's storage that bypass its API, each with the reason and what BullMQ's API is missing.
import type { Queue as BullQueue, JobType } from 'bullmq'
import type { RedisConnection, SqlPool } from '../types.ts'

/** A stored job without its data. */
export interface JobHead {
  /** The name that it was added with. */
  name: string
  /** Milliseconds since the epoch. */
  addedAt: number
  /** The size of its data as stored: compressed in PostgreSQL. */
  bytes: number
}

export interface BullmqStorage {
  /**
   * BullMQ reads a job only with its data, which may be a body of 25 MB; and `add` does not tell whether it added a job
   * under an id. Missing: `getJob` without the data, and an `add` that says what it did.
   */
  head(queue: BullQueue, id: string): Promise<JobHead | undefined>
  /**
   * The first jobs in the state, in the order in which they run. In Redis, where BullMQ has a list of its own for jobs
   * with a priority, up to `count` of each list. In PostgreSQL `getRanges` and `getJobs` list waiting jobs from the
   * newest, also when asked for the oldest. Missing: `getJobs` without the data, and in one order on both.
   */
  first(queue: BullQueue, state: 'waiting' | 'active' | 'delayed' | 'failed', count: number): Promise<JobHead[]>
  /**
   * How many jobs wait, run, or are due before that time (epoch milliseconds), at one moment: a job may move
   * between two counts. BullMQ's `getCounts` does that in Redis; in PostgreSQL it asks twice. Missing: one statement.
   */
  busy(queue: BullQueue, before: number): Promise<number>
  /**
   * Whether a job was added under this key while another of the key ran; forgets it. BullMQ looks only when that job
   * finishes. Missing: a `moveToDelayed` that looks too.
   */
  takePendingAdd(queue: BullQueue, key: string): Promise<boolean>
}

const REDIS_TYPES = {
  waiting: ['waiting', 'prioritized'],
  active: ['active'],
  delayed: ['delayed'],
  failed: ['failed'],
} satisfies Record<string, JobType[]>

// One command: with two for each of a thousand jobs, this process would do nothing else for 100 ms.
const HEADS = `
  local heads = {}
  for at, key in ipairs(KEYS) do
    local job = redis.call('HMGET', key, 'name', 'timestamp')
    heads[at] = { job[1], job[2], redis.call('HSTRLEN', key, 'data') }
  end
  return heads`

export function redisStorage(redis: RedisConnection): BullmqStorage {
  async function heads(queue: BullQueue, ids: string[]): Promise<JobHead[]> {
    if (ids.length === 0) return []
    const keys = ids.map((id) => queue.toKey(id))
    const found = (await redis.eval(HEADS, keys.length, ...keys)) as [string | null, string, number][]
    return found.flatMap(([name, addedAt, bytes]) => (name === null ? [] : [{ name, addedAt: Number(addedAt), bytes }]))
  }

  return {
    head: async (queue, id) => (await heads(queue, [id]))[0],
    first: async (queue, state, count) => heads(queue, await queue.getRanges(REDIS_TYPES[state], 0, count - 1, true)),
    async busy(queue, before) {
      const counts = await queue.getBackend().getCounts(['waiting', 'prioritized', 'active', 'delayed'], before)
      return counts.reduce((sum, count) => sum + count, 0)
    },
    takePendingAdd: async (queue, key) => (await redis.del(queue.toKey(`dn:${key}`))) > 0,
  }
}

/** BullMQ's name for its schema when it gets a pool; its statements find the schema by the search path only. */
export const BULLMQ_SCHEMA = 'bullmq'

/** The orders of BullMQ's indexes. */
const POSTGRES_ORDERS = {
  waiting: 'priority, seq',
  active: 'locked_until_ms',
  delayed: 'process_at_ms',
  failed: 'finished_at_ms',
}

export function postgresStorage(pool: SqlPool): BullmqStorage {
  async function heads(queue: BullQueue, which: string, value: unknown): Promise<JobHead[]> {
    // pg_column_size does not read the data.
    const { rows } = await pool.query<{ name: string; added: unknown; bytes: number }>(
      `SELECT name, added_at_ms AS added, pg_column_size(data) AS bytes FROM ${BULLMQ_SCHEMA}.job
       WHERE queue = $1 AND ${which}`,
      [queue.name, value],
    )
    return rows.map(({ name, added, bytes }) => ({ name, addedAt: Number(added), bytes }))
  }

  return {
    head: async (queue, id) => (await heads(queue, 'id = $2', id))[0],
    first: (queue, state, count) =>
      heads(queue, `state = '${state}' ORDER BY ${POSTGRES_ORDERS[state]} LIMIT $2`, count),
    async busy(queue, before) {
      const is = `state IN ('waiting', 'active') OR state = 'delayed' AND process_at_ms < $2`
      const text = `SELECT count(*) AS jobs FROM ${BULLMQ_SCHEMA}.job WHERE queue = $1 AND (${is})`
      const { rows } = await pool.query<{ jobs: unknown }>(text, [queue.name, before])
      return Number(rows[0]?.jobs)
    },
    async takePendingAdd(queue, key) {
      const text = `DELETE FROM ${BULLMQ_SCHEMA}.dedup_next WHERE queue = $1 AND dedup_id = $2 RETURNING 1`
      return (await pool.query(text, [queue.name, key])).rows.length > 0
    },
  }
}

/**
 * No other process runs jobs of an embedded database, so its active jobs belong to a process that died. BullMQ's check
 * for stalled jobs then finds them at once, without waiting for their locks to expire. Missing: a method for this.
 */
export async function releaseOrphans(pool: SqlPool): Promise<void> {
  await pool.query(`UPDATE ${BULLMQ_SCHEMA}.job SET locked_until_ms = 0, stalled_marked = true WHERE state = 'active'`)
  await pool.query(`DELETE FROM ${BULLMQ_SCHEMA}.meta WHERE field = 'stalled-check'`)
}
