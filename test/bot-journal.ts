// Where the bot of a test stores its journal: with its queue, or where the project says so in a database of PostgreSQL.
import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { openJournalDatabase } from '../src/journal/journal-database.ts'
import { openJournal } from '../src/journal/open-journal.ts'
import type { Journal } from '../src/journal/types.ts'
import type { Queues, StoreConnection } from '../src/queue/types.ts'

const databases = new Map<string, Promise<string>>()

/** The URL of an empty database for each queue in Redis; undefined where the journal is stored with the queue. */
export async function botJournalUrl(queueUrl: string | undefined): Promise<string | undefined> {
  const server = inject('postgres')
  if (server === undefined || queueUrl === undefined || !queueUrl.startsWith('redis')) return undefined
  const known = databases.get(queueUrl) ?? makeDatabase(server)
  databases.set(queueUrl, known)
  return known
}

/** Empties it, where it is in a database. */
export async function forgetBotJournal(queueUrl: string | undefined): Promise<void> {
  const url = await botJournalUrl(queueUrl)
  if (url === undefined) return
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('DROP SCHEMA IF EXISTS bellhop CASCADE')
  await client.end()
}

/** As settings of the bot. */
export async function journalSettings(queueUrl: string | undefined): Promise<{ BELLHOP_JOURNAL_URL?: string }> {
  const url = await botJournalUrl(queueUrl)
  return url === undefined ? {} : { BELLHOP_JOURNAL_URL: url }
}

/** The journal of a queue, opened where the bots of the test store theirs. */
export async function openBotJournal(
  queue: Queues,
  queueUrl: string,
): Promise<{ store: StoreConnection; journal: Journal; close(): Promise<void> }> {
  const url = await botJournalUrl(queueUrl)
  const none = async () => undefined
  const { store, close } =
    url === undefined ? { store: queue.store, close: none } : await openJournalDatabase({ url, queue: queue.store })
  return { store, journal: await openJournal(store), close }
}

async function makeDatabase(server: string): Promise<string> {
  const name = `t${randomBytes(8).toString('hex')}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}
