// Where a test's bot stores its journal: in the database of its queue, or in a separate one if the queue is in Redis.
import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { type OpenJournal, openJournalOf } from '../src/journal/open-journal.ts'
import type { Queues } from '../src/queue/types.ts'
import { prepareDatabase } from './prepared-database.ts'

const journals = new Map<string, Promise<string>>()
const taken = new Map<string, number>()

/** A database of this server that no other bot uses: first the one of the URL. An embedded queue stays as it is. */
export async function ownDatabase(url: string): Promise<string> {
  if (url.startsWith('embedded:')) return url
  const before = taken.get(url) ?? 0
  taken.set(url, before + 1)
  if (before === 0) return url
  return url.startsWith('redis://') ? `${url}/${before}` : makeDatabase(url)
}

/** The URL of an empty journal for each queue in Redis; empty where the queue has its own. */
export async function botJournalUrl(queueUrl: string | undefined): Promise<string> {
  if (!queueUrl?.startsWith('redis')) return ''
  const known = journals.get(queueUrl) ?? makeJournal()
  journals.set(queueUrl, known)
  return known
}

/** In PostgreSQL, where the project has a server (vitest.config.ts); else for one process alone. */
async function makeJournal(): Promise<string> {
  const server = inject('postgres')
  if (server !== undefined) return makeDatabase(server)
  return `embedded:${await prepareDatabase(await mkdtemp(join(inject('runFolder'), 'journal-')))}`
}

/** As settings of the bot. */
export async function journalSettings(queueUrl: string | undefined): Promise<{ BELLHOP_JOURNAL_URL: string }> {
  return { BELLHOP_JOURNAL_URL: await botJournalUrl(queueUrl) }
}

/** The journal of a queue, opened where the bots of the test store theirs. */
export async function openBotJournal(queue: Queues, queueUrl: string): Promise<OpenJournal> {
  return openJournalOf({ queue: queue.store, url: await botJournalUrl(queueUrl) })
}

/** An empty database of a server; gives its URL. */
export async function makeDatabase(server: string): Promise<string> {
  const name = `t${randomBytes(8).toString('hex')}`
  await runSql(server, `CREATE DATABASE ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Empties the database of a journal, or of a queue with its journal. */
export const emptyDatabase = (url: string): Promise<void> =>
  runSql(url, 'DROP SCHEMA IF EXISTS bellhop, bullmq CASCADE')

async function runSql(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(sql)
  await client.end()
}
