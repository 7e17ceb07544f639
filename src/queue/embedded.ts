// Jobs in a PostgreSQL inside this very process, kept in a directory: nothing to install, nothing to run beside.
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { BullStore } from './bullmq-store.ts'
import { lockDirectory } from './directory-lock.ts'
import { asError, QueueUnavailable } from './errors.ts'
import { pglitePool } from './pglite-pool.ts'
import { BULLMQ_SCHEMA, sqlStore } from './postgres.ts'
import type { SqlPool } from './types.ts'

interface Given {
  directory: string
  log(message: string, error: Error): void
  onProgress(sentence: string): void
}

/** Opens the directory as the store; throws QueueDirectoryInUse when another process has it. */
export async function openEmbedded(given: Given): Promise<BullStore> {
  const directory = resolve(given.directory)
  const unlock = await lockDirectory(directory)
  let db: PGlite | undefined
  try {
    const opened = await openDatabase(directory, given.onProgress)
    db = opened
    const pool = pglitePool(opened)
    const close = async () => {
      await pool.end()
      await opened.close()
      await unlock()
    }
    const store = await sqlStore({ kind: 'embedded', pool, log: given.log, close })
    await pool.query(`SET search_path TO ${BULLMQ_SCHEMA}`)
    await releaseOrphans(pool)
    await writeFile(readyMark(directory), 'The database beside this file was opened once and may hold jobs.\n')
    return store
  } catch (thrown) {
    await db?.close().catch(() => undefined)
    await unlock()
    const cause = asError(thrown)
    throw new QueueUnavailable(`The queue directory ${directory} cannot be opened: ${cause.message}`, { cause })
  }
}

/** A first start that was cut off leaves a database that cannot be opened; nothing was ever stored in it, so it is set aside. */
async function openDatabase(directory: string, onProgress: Given['onProgress']): Promise<PGlite> {
  const data = join(directory, 'store')
  const fresh = !existsSync(join(data, 'PG_VERSION'))
  if (fresh) onProgress(`Setting up the queue in ${directory}; this takes a few seconds, and only the first time.`)
  await mkdir(data, { recursive: true })
  try {
    return await PGlite.create({ dataDir: data })
  } catch (thrown) {
    if (fresh || existsSync(readyMark(directory))) throw thrown
    await rename(data, `${data}.unfinished-${Date.now()}`)
    return openDatabase(directory, onProgress)
  }
}

function readyMark(directory: string): string {
  return join(directory, 'ready')
}

/**
 * No other process can run jobs of this directory, so whatever is marked as running ran in a process that died: it need not wait until
 * its lock runs out. The workers' own check for stalled jobs, with its limit, then takes it up at once.
 */
async function releaseOrphans(pool: SqlPool): Promise<void> {
  await pool.query(`UPDATE ${BULLMQ_SCHEMA}.job SET locked_until_ms = 0, stalled_marked = true WHERE state = 'active'`)
  await pool.query(`DELETE FROM ${BULLMQ_SCHEMA}.meta WHERE field = 'stalled-check'`)
}
