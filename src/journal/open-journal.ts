// Opens the journal: in the queue's own database, or next to a queue in Redis in PostgreSQL or an embedded database.
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { DirectoryInUse, whyNotOpened } from '../embedded-postgres/directory-lock.ts'
import { asError } from '../queue/errors.ts'
import type { JournalMark, PostgresStore, SqlPool, StoreConnection } from '../queue/types.ts'
import { databaseOf, queryOf } from './database/database.ts'
import { journalDirectory, readJournalUrl } from './database/journal-url.ts'
import { makeTables, readIdentity } from './database/make-tables.ts'
import { JournalMisconfigured, JournalTooNew, JournalUnavailable } from './errors.ts'
import { createJournal, type Journal } from './journal.ts'
import type { RetentionPolicy } from './retention.ts'

interface JournalOptions {
  queue: StoreConnection
  /** `embedded:DIR` or `postgres://…`, next to a queue in Redis; any other queue has the journal in its database. */
  url: string
  retention?: Partial<RetentionPolicy>
  log?: (message: string, error: Error) => void
  /** Receives a sentence before something slow. */
  onProgress?: (sentence: string) => void
}

export interface OpenJournal extends Pick<JournalDatabase, 'store' | 'freeDisk' | 'close'> {
  journal: Journal
  /** Also throws JournalUnavailable if something was refused a moment ago. Absent if the database is the queue's. */
  ping?: JournalDatabase['ping']
}

/**
 * Opens the journal of a queue. Throws JournalUnavailable, JournalTooNew, and JournalMisconfigured if the queue has
 * another journal or another process uses the directory, without a password in any message.
 */
export async function openJournalOf({ queue, url, retention, ...given }: JournalOptions): Promise<OpenJournal> {
  if (queue.kind === 'postgres')
    return { journal: await openJournal(queue, retention), store: queue, close: async () => undefined }
  const database = await openNextTo(queue.journalMark, url, given)
  const { ping, failed } = databaseHealth(database, Date.now)
  return { ...database, journal: createJournal(databaseIn(database.store, failed), retention), ping }
}

/** Opens the journal in a queue's own database, and makes or updates its tables. Throws as `openJournalOf`. */
export async function openJournal(store: StoreConnection, retention?: Partial<RetentionPolicy>): Promise<Journal> {
  if (store.kind === 'redis') throw new JournalMisconfigured('A queue in Redis has its journal in another database.')
  await opening(() => makeTables(store.pool, store.tables))
  return createJournal(databaseIn(store), retention)
}

/** A server has partitions, and statements that it prepares. */
const databaseIn = ({ pool, tables }: PostgresStore, failed?: (error: JournalUnavailable) => void) =>
  databaseOf(tables.partitioned ? preparing(pool) : pool, tables, failed)

/** Checks before anything is made in the wrong place. */
async function openNextTo(
  mark: JournalMark,
  url: string,
  { log = () => undefined, onProgress }: Pick<JournalOptions, 'log' | 'onProgress'>,
): Promise<JournalDatabase> {
  const given = journalDirectory(url)
  const directory = given === undefined ? undefined : resolve(given)
  const place = directory === undefined ? readJournalUrl(url).shown : `embedded:${directory}`
  if (directory !== undefined && !existsSync(directory)) await checkJournal(mark, { id: undefined, place })
  const slow = () => onProgress?.(`Preparing the journal in ${directory}; this may take a few seconds.`)
  const database = await (directory === undefined ? openOnServer(url, log) : openInDirectory(directory, slow))
  const { pool, tables } = database.store
  try {
    await opening(async () => {
      await checkJournal(mark, { id: await readIdentity(queryOf(pool), tables.schema), place })
      await claimJournal(mark, { id: await makeTables(pool, tables), place })
    }, ` at ${place}`)
    return database
  } catch (thrown) {
    await database.close()
    throw thrown
  }
}

async function opening(opens: () => Promise<unknown>, where = ''): Promise<void> {
  try {
    await opens()
  } catch (thrown) {
    if (thrown instanceof JournalTooNew || thrown instanceof JournalMisconfigured) throw thrown
    throw new JournalUnavailable(`The journal${where} cannot be opened: ${asError(thrown).message}`, { cause: thrown })
  }
}

/** What waits is tried again every few seconds, so an older failure says nothing about now. */
const FAILURE_COUNTS_MS = 10_000

/** `now`: milliseconds since 1970. `failed` takes each failure of the journal. */
export function databaseHealth(database: Pick<JournalDatabase, 'ping'>, now: () => number) {
  let last: { error: JournalUnavailable; at: number } | undefined
  return {
    failed(error: JournalUnavailable): void {
      // `ping` asks whether it answers by now.
      if (error.trouble !== 'unreachable') last = { error, at: now() }
    },
    /** Throws JournalUnavailable if the database does not answer, only reads, or refused something a moment ago. */
    async ping(): Promise<void> {
      await database.ping()
      if (last !== undefined && now() - last.at < FAILURE_COUNTS_MS) throw last.error
    },
  }
}

/** The flow has fewer; what an admin's filters make beyond that is planned each time. */
const MOST_STATEMENTS = 100

/**
 * The pool of a server whose statements with values are prepared statements: to plan one of many steps takes longer than
 * to run it.
 */
export function preparing(pool: SqlPool): SqlPool {
  const names = new Map<string, string>()
  function nameOf(text: string): string | undefined {
    const known = names.get(text)
    if (known !== undefined || names.size >= MOST_STATEMENTS) return known
    const name = createHash('sha1').update(text).digest('hex')
    names.set(text, name)
    return name
  }
  const prepared =
    (client: Pick<SqlPool, 'query'>): SqlPool['query'] =>
    (text, values) => {
      const name = values && nameOf(text)
      // node-postgres takes the name with the statement, which SqlPool does not declare.
      return name === undefined ? client.query(text, values) : client.query({ name, text, values } as never)
    }
  return {
    query: prepared(pool),
    async connect() {
      const client = await pool.connect()
      return { query: prepared(client), release: (closes) => client.release(closes) }
    },
    end: () => pool.end(),
  }
}

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
async function openOnServer(given: string, log: (text: string, error: Error) => void): Promise<JournalDatabase> {
  const { asSqlPool, endPool, openPool } = await import('../queue/postgres/pool.ts')
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
async function openInDirectory(directory: string, onSlowStart: () => void): Promise<JournalDatabase> {
  const { openDatabase } = await import('../embedded-postgres/open-database.ts')
  const { pglitePool } = await import('../queue/postgres/pglite-pool.ts')
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

interface JournalIdentity {
  /** Undefined: there is no journal yet. */
  id: string | undefined
  /** Where it is, for people: without credentials. */
  place: string
}

/** Throws JournalMisconfigured if the queue has another journal. Changes nothing. */
export async function checkJournal(mark: JournalMark, found: JournalIdentity): Promise<void> {
  const text = await mark.read()
  if (text === undefined) return
  const own = JSON.parse(text) as JournalIdentity
  if (own.id === found.id) return
  const former = own.place.startsWith('embedded:') ? 'the former, which one process alone can use' : 'the former'
  throw new JournalMisconfigured(
    `The journal of this queue is ${named(own)}, not ${named(found)}: set BELLHOP_JOURNAL_URL to ${former}, or give ` +
      `this process a queue of its own (BELLHOP_QUEUE_URL). Where the former is lost, delete the key ${mark.key} in Redis.`,
  )
}

/** Stores the id of the journal in a queue that has none. Throws as `checkJournal`. */
export async function claimJournal(mark: JournalMark, journal: JournalIdentity): Promise<void> {
  await mark.writeOnce(JSON.stringify(journal))
  await checkJournal(mark, journal)
}

const named = ({ id, place }: JournalIdentity) =>
  id === undefined ? `the one at ${place}, which is empty` : `${id} at ${place}`
