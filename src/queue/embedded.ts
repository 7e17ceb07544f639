// Jobs in a PostgreSQL inside this very process, kept in a directory: nothing to install, nothing to run beside.
import { statfs } from 'node:fs/promises'
import { resolve } from 'node:path'
import { DirectoryInUse } from '../embedded-postgres/errors.ts'
import { type OpenDatabase, openDatabase } from '../embedded-postgres/open-database.ts'
import type { BullStore } from './bullmq-store.ts'
import { asError, QueueDirectoryInUse, QueueUnavailable } from './errors.ts'
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
  const onFirstStart = () => given.onProgress(`Setting up the queue in ${directory}; this takes a few seconds, and only the first time.`)
  let opened: OpenDatabase | undefined
  try {
    opened = await openDatabase({ directory, onFirstStart })
    const { db, close: closeDatabase } = opened
    const pool = pglitePool(db)
    const close = async () => {
      await pool.end()
      await closeDatabase()
    }
    const space = async () => {
      const { bavail, bsize } = await statfs(directory)
      return { freeDisk: bavail * bsize }
    }
    const store = await sqlStore({ kind: 'embedded', pool, log: given.log, space, close })
    await pool.query(`SET search_path TO ${BULLMQ_SCHEMA}`)
    await releaseOrphans(pool)
    return store
  } catch (thrown) {
    await opened?.close().catch(() => undefined)
    if (thrown instanceof DirectoryInUse) throw new QueueDirectoryInUse(directory, thrown.holder)
    const cause = asError(thrown)
    const mayNotWrite = 'code' in cause && ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'EEXIST'].includes(String(cause.code))
    const remedy = mayNotWrite ? '. Give this user the right to write there, or name another folder: BELLHOP_QUEUE_URL=embedded:DIR.' : ''
    throw new QueueUnavailable(`The queue directory ${directory} cannot be opened: ${cause.message}${remedy}`, { cause })
  }
}

/**
 * No other process can run jobs of this directory, so whatever is marked as running ran in a process that died: it need not wait until
 * its lock runs out. The workers' own check for stalled jobs, with its limit, then takes it up at once.
 */
async function releaseOrphans(pool: SqlPool): Promise<void> {
  await pool.query(`UPDATE ${BULLMQ_SCHEMA}.job SET locked_until_ms = 0, stalled_marked = true WHERE state = 'active'`)
  await pool.query(`DELETE FROM ${BULLMQ_SCHEMA}.meta WHERE field = 'stalled-check'`)
}
