// Opens the journal: in the queue's own database, or next to a queue in Redis in PostgreSQL or an embedded database.
import { asError } from '../queue/errors.ts'
import type { JournalMark, PostgresStore, StoreConnection } from '../queue/types.ts'
import { databaseHealth } from './database-health.ts'
import { JournalMisconfigured, JournalTooNew, JournalUnavailable } from './errors.ts'
import { createJournal } from './journal.ts'
import type { JournalDatabase } from './journal-database.ts'
import { checkJournal, claimJournal } from './journal-id.ts'
import type { RetentionPolicy } from './records/retention.ts'
import { findJournalId, migrate } from './stores/postgres-migrations.ts'
import { postgresStore } from './stores/postgres-store.ts'
import type { Journal } from './types.ts'

export interface JournalOptions {
  queue: StoreConnection
  /** `embedded:DIR` or `postgres://…`, next to a queue in Redis; every other queue has the journal in its own database. */
  url: string
  retention?: Partial<RetentionPolicy>
  log?: (message: string, error: Error) => void
  /** Receives a sentence before something slow. */
  onProgress?: (sentence: string) => void
}

export interface OpenJournal {
  journal: Journal
  /** Where its tables are. */
  store: PostgresStore
  /**
   * Throws JournalUnavailable if the journal's database does not answer within two seconds, only reads, or refused
   * something a moment ago. Absent where it is the queue's.
   */
  ping?: () => Promise<void>
  /** Free bytes on the disk of an embedded database next to its queue. */
  freeDisk?: () => Promise<number>
  /** Leaves the queue open. */
  close(): Promise<void>
}

/**
 * Opens the journal of a queue. Throws JournalUnavailable, JournalTooNew, and JournalMisconfigured where the queue has
 * another journal or another process uses the directory, without a password in any message.
 */
export async function openJournalOf(given: JournalOptions): Promise<OpenJournal> {
  const { queue, retention } = given
  if (queue.kind === 'redis') return openNextTo(queue.journalMark, given)
  return { journal: await openJournal(queue, retention), store: queue, close: async () => undefined }
}

/** Opens the journal in a queue's own database, and makes or updates its tables. Throws as `openJournalOf`. */
export async function openJournal(store: StoreConnection, retention?: Partial<RetentionPolicy>): Promise<Journal> {
  if (store.kind === 'redis') throw new JournalMisconfigured('A queue in Redis has its journal in another database.')
  await opening(() => migrate(store.pool, store.tables))
  return journalIn(store, retention)
}

async function openNextTo(mark: JournalMark, { url, retention, ...given }: JournalOptions): Promise<OpenJournal> {
  // Loaded on use: where the journal is in the queue's database, its packages stay unloaded.
  const { openJournalDatabase } = await import('./journal-database.ts')
  const database = await openJournalDatabase({
    ...{ url, log: given.log ?? (() => undefined), onProgress: given.onProgress ?? (() => undefined) },
    beforeMaking: (place) => checkJournal(mark, { id: undefined, place }),
  })
  try {
    await opening(() => claim(mark, database), ` at ${database.place}`)
  } catch (thrown) {
    await database.close()
    throw thrown
  }
  const { ping, failed } = databaseHealth(database, () => Date.now())
  return { ...database, journal: journalIn(database.store, retention, failed), ping }
}

/** Checks before anything is made in the wrong database. */
async function claim(mark: JournalMark, { store: { pool, tables }, place }: JournalDatabase): Promise<void> {
  await checkJournal(mark, { id: await findJournalId(pool, tables.schema), place })
  await claimJournal(mark, { id: await migrate(pool, tables), place })
}

function journalIn(
  { pool, tables }: PostgresStore,
  retention?: Partial<RetentionPolicy>,
  failed?: (error: JournalUnavailable) => void,
): Journal {
  return createJournal(postgresStore(pool, tables), retention, failed)
}

async function opening(opens: () => Promise<unknown>, where = ''): Promise<void> {
  try {
    await opens()
  } catch (thrown) {
    if (thrown instanceof JournalTooNew || thrown instanceof JournalMisconfigured) throw thrown
    throw new JournalUnavailable(`The journal${where} cannot be opened: ${asError(thrown).message}`, { cause: thrown })
  }
}
