// A database for the journal alone, next to a queue in Redis: a PostgreSQL server, or embedded in a directory.
import { DirectoryInUse, whyNotOpened } from '../../embedded-postgres/errors.ts'
import { asError } from '../../queue/errors.ts'
import type { PostgresStore } from '../../queue/types.ts'
import { JournalMisconfigured, JournalUnavailable } from '../errors.ts'
import { readJournalUrl } from './journal-url.ts'

/** Each process has one pool; more statements wait for a free connection. */
const MOST_CONNECTIONS = 10
/** Less than a probe of /readyz waits for. */
const PING_TIMEOUT_MS = 1_000

export interface JournalDatabase {
  store: PostgresStore
  /** Throws JournalUnavailable if the database does not answer within two seconds, or does not write. */
  ping(): Promise<void>
  /** Free bytes on its disk, if it is embedded. */
  freeDisk?: () => Promise<number>
  close(): Promise<void>
}

/** A database on a server. Connects when it is first used. */
export async function openOnServer(given: string, log: (text: string, error: Error) => void): Promise<JournalDatabase> {
  const { asSqlPool, endPool, openPool } = await import('../../queue/postgres/pool.ts')
  const { url, schema } = readJournalUrl(given)
  const pool = openPool({ url, max: MOST_CONNECTIONS, log })
  const asked = { text: harmlessWrite(schema), query_timeout: PING_TIMEOUT_MS }
  return {
    store: { kind: 'postgres', pool: asSqlPool(pool), tables: { schema, partitioned: true } },
    ping: () => reach(pool.query(asked)),
    close: () => endPool(pool),
  }
}

/** An embedded database. Throws JournalUnavailable, and JournalMisconfigured if another process uses the directory. */
export async function openInDirectory(directory: string, onSlowStart: () => void): Promise<JournalDatabase> {
  const { openDatabase } = await import('../../embedded-postgres/open-database.ts')
  const { pglitePool } = await import('../../queue/postgres/pglite-pool.ts')
  const { db, freeDisk, close } = await openDatabase({ directory, onSlowStart }).catch((thrown: unknown) => {
    if (thrown instanceof DirectoryInUse)
      throw new JournalMisconfigured(
        `The journal directory ${directory} is in use by ${thrown.holder}. Stop that process, or let both share a ` +
          'journal in PostgreSQL (BELLHOP_JOURNAL_URL=postgres://…).',
      )
    const reason = whyNotOpened(thrown, 'BELLHOP_JOURNAL_URL')
    throw new JournalUnavailable(`The journal directory ${directory} cannot be opened: ${reason}`, { cause: thrown })
  })
  const pool = pglitePool(db)
  const tables = { schema: 'bellhop', partitioned: false }
  return {
    store: { kind: 'postgres', pool, tables },
    ping: () => reach(pool.query(harmlessWrite(tables.schema))),
    freeDisk,
    close: () => pool.end().then(close),
  }
}

/** Changes no row, and is refused like any write: by a standby, and without the right to write. */
const harmlessWrite = (schema: string) => `UPDATE ${schema}.journal SET id = id WHERE false`

async function reach(asked: Promise<unknown>): Promise<void> {
  await asked.catch((thrown: unknown) => {
    throw new JournalUnavailable(`The journal cannot be reached: ${asError(thrown).message}`, { cause: thrown })
  })
}
