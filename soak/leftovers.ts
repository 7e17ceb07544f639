// What queue and journal hold once all processes have ended: open jobs, jobs given up, unread hooks, secrets.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { openJournalOf } from '../src/journal/open-journal.ts'
import type { DeliveryRecord } from '../src/journal/types.ts'
import { openQueues } from '../src/queue/open-queue.ts'
import type { HookEntry, SoakRecord, Violation } from './record.ts'
import type { Stores } from './stores.ts'

export interface Leftovers {
  /** Jobs that wait or run: there is still something to do. */
  open: number
  givenUp: Violation[]
  /** Hooks that were acknowledged and never read. */
  unread: Violation[]
  uncertain: SoakRecord['uncertain']
}

/** Opens the queue when no process has it open. */
export async function leftoversOf(
  { queueUrl, journalUrl }: Pick<Stores, 'queueUrl' | 'journalUrl'>,
  { changes, hooks }: SoakRecord,
): Promise<Leftovers> {
  const queue = await openQueues({ url: queueUrl })
  const { journal, close } = await openJournalOf({ queue: queue.store, url: journalUrl })
  try {
    let open = 0
    const givenUp: Violation[] = []
    for (const name of ['deliveries', 'merge-requests', 'merge-queues']) {
      const lane = queue.queue(name)
      const { waiting, active } = await lane.counts()
      open += waiting + active
      // That of a merge queue loses no event: the next one, or a sweep, adds another.
      if (name.startsWith('merge-queues')) continue
      for (const job of await lane.list(['failed'], 0, 100)) {
        const detail = `${name}: ${JSON.stringify(job.data).slice(0, 120)} was given up: ${job.failure}`
        givenUp.push({ promise: 'no job is given up', detail })
      }
    }
    const uncertain: SoakRecord['uncertain'] = []
    const names = new Map(
      changes.map(({ mergeRequest: { project_id: project, iid } }) => [`${project}!${iid}`, { project, iid }]),
    )
    for (const [mergeRequest, ref] of names)
      for (const { detail } of (await journal.mergeRequests.memory(ref))?.uncertain ?? [])
        uncertain.push({ mergeRequest, detail })
    const states = new Map<string, DeliveryRecord['state'] | undefined>()
    for (const id of new Set(hooks.flatMap(({ taken }) => taken ?? [])))
      states.set(id, (await journal.deliveries.find(id))?.state)
    return { open, givenUp, uncertain, unread: unreadHooks(hooks, states) }
  } finally {
    await close()
    await queue.close()
  }
}

/** What the journal knows of every hook that was answered 202, by the id that the answer named. */
export function unreadHooks(
  hooks: readonly HookEntry[],
  states: ReadonlyMap<string, DeliveryRecord['state'] | undefined>,
): Violation[] {
  return hooks.flatMap(({ id, kind, fate, taken = '' }) => {
    const state = states.get(taken)
    if (fate !== 'acknowledged' || state === 'read' || state === 'no_merge_request') return []
    return [
      {
        promise: 'an acknowledged event is never lost',
        detail: `hook ${id} (${kind}) was answered 202, and is ${state ?? 'not known'}`,
      },
    ]
  })
}

/** Secrets in what queue and journal store. */
export async function storedSecrets(
  { folders, database }: Pick<Stores, 'folders' | 'database'>,
  secrets: readonly string[],
): Promise<Violation[]> {
  const files = await secretsInFiles(folders, secrets)
  return database === undefined ? files : [...files, ...(await secretsInTables(database, secrets))]
}

/** Secrets in the files of queue and journal; a Redis with an append-only file has all there that was ever written. */
export async function secretsInFiles(folders: readonly string[], secrets: readonly string[]): Promise<Violation[]> {
  const found: Violation[] = []
  for (const folder of folders) {
    const files = (await readdir(folder, { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
    for (const { parentPath, name } of files) {
      const bytes = await readFile(join(parentPath, name))
      if (secrets.some((secret) => bytes.includes(secret))) found.push(stored(join(parentPath, name)))
    }
  }
  return found
}

/** Secrets in the tables of a database; in its files long values are compressed. */
export async function secretsInTables(url: string, secrets: readonly string[]): Promise<Violation[]> {
  // Of its own: the bot's connections wait ten seconds for a statement, and this one reads all.
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    )
    const found: Violation[] = []
    for (const { name } of tables) {
      const { rows } = await client.query(
        `SELECT 1 FROM (SELECT given::text AS row FROM ${name} AS given OFFSET 0) AS texts
          WHERE EXISTS (SELECT 1 FROM unnest($1::text[]) AS secret WHERE strpos(row, secret) > 0) LIMIT 1`,
        [secrets],
      )
      if (rows.length > 0) found.push(stored(name))
    }
    return found
  } finally {
    await client.end()
  }
}

const stored = (detail: string): Violation => ({ promise: 'no secret is in queue or journal', detail })
