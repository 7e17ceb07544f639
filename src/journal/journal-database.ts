// A PostgreSQL database for the journal alone, next to a queue in Redis.
import { asError } from '../queue/errors.ts'
import { asSqlPool, endPool, openPool } from '../queue/postgres/pool.ts'
import type { PostgresStore, RedisStore, SqlPool, StoreConnection } from '../queue/types.ts'
import { JournalMisconfigured, JournalTooNew, JournalUnavailable } from './errors.ts'
import { readJournalUrl } from './journal-url.ts'
import { migrate } from './stores/postgres-migrations.ts'
import { hasRedisJournal, installationOf, readMove } from './stores/redis-layout.ts'

/** Each process has one pool; more statements wait for a free connection. */
const MOST_CONNECTIONS = 10

export interface JournalDatabase {
  store: PostgresStore
  /** Throws JournalUnavailable if the database does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the database that a URL names and makes or updates its tables: `postgres://USER:PASSWORD@HOST/DATABASE`, with
 * `?schema=NAME` for other tables than those of the schema `bellhop`. `queue`: the store of the queue, whose
 * installation the tables belong to. Throws JournalUnavailable, JournalTooNew and JournalMisconfigured, without the
 * password in any message.
 */
export async function openJournalDatabase(given: {
  url: string
  queue: StoreConnection
  /** Takes the tables over from another installation, whose queue is gone. */
  takeOver?: boolean
  /** To move the journal here, which is still in Redis. */
  moving?: boolean
  log?: (message: string, error: Error) => void
}): Promise<JournalDatabase> {
  const { url, schema, shown } = readJournalUrl(given.url)
  if (given.queue.kind !== 'redis')
    throw new JournalMisconfigured(
      'BELLHOP_JOURNAL_URL needs a queue in Redis (BELLHOP_QUEUE_URL=redis://…): every other queue stores the journal in its own database.',
    )
  const pool = openPool({ url, max: MOST_CONNECTIONS, log: given.log ?? (() => undefined) })
  const sql = asSqlPool(pool)
  const tables = { schema, partitioned: true }
  try {
    if (given.moving !== true) await refuseUnmoved(given.queue, shown)
    await migrate(sql, tables)
    const id = await installationOf(given.queue.redis, given.queue.prefix)
    await claimTables(sql, schema, { id, shown, takeOver: given.takeOver === true })
  } catch (thrown) {
    await endPool(pool)
    if (thrown instanceof JournalTooNew || thrown instanceof JournalMisconfigured) throw thrown
    throw new JournalUnavailable(`The journal at ${shown} cannot be opened: ${asError(thrown).message}`, {
      cause: thrown,
    })
  }
  return {
    store: { kind: 'postgres', pool: sql, tables },
    async ping() {
      try {
        await sql.query('SELECT 1')
      } catch (thrown) {
        throw new JournalUnavailable(`The journal cannot be reached: ${asError(thrown).message}`, { cause: thrown })
      }
    },
    close: () => endPool(pool),
  }
}

/** Without the memory of merge requests, Bellhop would act once more on each. */
async function refuseUnmoved({ redis, prefix }: RedisStore, shown: string) {
  if (!(await hasRedisJournal(redis, prefix))) return
  const move = await readMove(redis, prefix)
  if (move?.state !== 'moved')
    throw new JournalMisconfigured(
      `The journal of this installation is in Redis. Move it to ${shown} first: bellhop journal move --to URL.`,
    )
  if (move.to !== shown)
    throw new JournalMisconfigured(`The journal was moved to ${move.to}, and BELLHOP_JOURNAL_URL names ${shown}.`)
}

/** The tables belong to the first installation that opens them. */
async function claimTables(
  pool: SqlPool,
  schema: string,
  { id, shown, takeOver }: { id: string; shown: string; takeOver: boolean },
): Promise<void> {
  // There is one row: `is_only` is its key.
  await pool.query(
    takeOver
      ? `INSERT INTO ${schema}.installation (is_only, id) VALUES (true, $1) ON CONFLICT (is_only) DO UPDATE SET id = EXCLUDED.id`
      : `INSERT INTO ${schema}.installation (is_only, id) VALUES (true, $1) ON CONFLICT (is_only) DO NOTHING`,
    [id],
  )
  const { rows } = await pool.query<{ id: string }>(`SELECT id FROM ${schema}.installation`)
  if (rows[0]?.id === id) return
  throw new JournalMisconfigured(
    `The schema ${schema} at ${shown} holds the journal of another installation, with another queue. Give this one ` +
      'tables of its own (BELLHOP_JOURNAL_URL=postgres://…?schema=NAME); or, where the other queue is lost for good, ' +
      'take its journal over: bellhop journal take-over.',
  )
}
