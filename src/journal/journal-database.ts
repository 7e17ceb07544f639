// A PostgreSQL database for the journal alone, next to a queue in Redis.
import { asError } from '../queue/errors.ts'
import { asSqlPool, endPool, openPool } from '../queue/postgres/pool.ts'
import type { PostgresStore, StoreConnection } from '../queue/types.ts'
import { JournalMisconfigured, JournalTooNew, JournalUnavailable } from './errors.ts'
import { checkJournal, claimJournal } from './journal-id.ts'
import { readJournalUrl } from './journal-url.ts'
import { findJournalId, migrate } from './stores/postgres-migrations.ts'

/** Each process has one pool; more statements wait for a free connection. */
const MOST_CONNECTIONS = 10
/** Less than a probe of /readyz waits for. */
const PING_TIMEOUT_MS = 1_000

export interface JournalDatabase {
  store: PostgresStore
  /** Throws JournalUnavailable if the database does not answer within two seconds, or does not write. */
  ping(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the database that a URL names and makes or updates its tables: `postgres://USER:PASSWORD@HOST/DATABASE`, with
 * `?schema=NAME` for other tables than those of the schema `bellhop`. `queue`: the store of the queue, which belongs to
 * one journal. Throws JournalUnavailable, JournalTooNew and JournalMisconfigured, without the password in any message.
 */
export async function openJournalDatabase(given: {
  url: string
  queue: StoreConnection
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
    // Before anything is made in the wrong database.
    await checkJournal(given.queue, { id: await findJournalId(sql, schema), place: shown })
    await claimJournal(given.queue, { id: await migrate(sql, tables), place: shown })
  } catch (thrown) {
    await endPool(pool)
    if (thrown instanceof JournalTooNew || thrown instanceof JournalMisconfigured) throw thrown
    throw new JournalUnavailable(`The journal at ${shown} cannot be opened: ${asError(thrown).message}`, {
      cause: thrown,
    })
  }
  const asked = { text: `UPDATE ${schema}.journal SET id = id WHERE false`, query_timeout: PING_TIMEOUT_MS }
  return {
    store: { kind: 'postgres', pool: sql, tables },
    async ping() {
      try {
        // Changes no row, and is refused like any write: by a standby, and without the right to write.
        await pool.query(asked)
      } catch (thrown) {
        throw new JournalUnavailable(`The journal cannot be reached: ${asError(thrown).message}`, { cause: thrown })
      }
    },
    close: () => endPool(pool),
  }
}
