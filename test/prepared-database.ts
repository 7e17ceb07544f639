// Copies of embedded databases and queues as left by their first start, which takes 5 s of a core, and 1.5 s more for
// the queue's tables.
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type OpenDatabase, openDatabase } from '../src/embedded-postgres/open-database.ts'
import { openJournal } from '../src/journal/open-journal.ts'
import { openQueues } from '../src/queue/open-queue.ts'
import { onceForRun } from './once-for-run.ts'

const run = promisify(execFile)

/** Puts an empty database where `openDatabase` has its own in the directory, made if missing; returns the directory. */
export async function prepareDatabase(directory: string): Promise<string> {
  const empty = await onceForRun('empty-database', async (folder) =>
    (await openDatabase({ directory: folder })).close(),
  )
  return copyStore(empty, directory)
}

/** An open one in a folder of its own, which goes when it is closed. */
export async function openPrepared(): Promise<OpenDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'bellhop-database-'))
  const opened = await openDatabase({ directory: await prepareDatabase(folder) })
  return { ...opened, close: () => opened.close().finally(() => rm(folder, { recursive: true })) }
}

/** A database with the tables of queue and journal; gives the queue's URL. */
export async function prepareQueue(directory: string): Promise<string> {
  const empty = await onceForRun('empty-queue', async (folder) => {
    const queue = await openQueues({ url: `embedded:${await prepareDatabase(folder)}` })
    await openJournal(queue.store)
    await queue.close()
  })
  return `embedded:${await copyStore(empty, directory)}`
}

async function copyStore(from: string, directory: string): Promise<string> {
  await mkdir(directory, { recursive: true })
  await run('cp', ['-R', join(from, 'store'), join(directory, 'store')])
  return directory
}
