// The embedded backend: PGlite in this process, stored in a directory.
import { resolve } from 'node:path'
import { DirectoryInUse, whyNotOpened } from '../../embedded-postgres/directory-lock.ts'
import { type OpenDatabase, openDatabase } from '../../embedded-postgres/open-database.ts'
import type { QueueBackend } from '../bullmq/backend.ts'
import { BULLMQ_SCHEMA, releaseOrphans } from '../bullmq/storage.ts'
import { QueueDirectoryInUse, QueueUnavailable } from '../errors.ts'
import { postgresBackend } from './backend.ts'
import { pglitePool } from './pglite-pool.ts'

/** Throws QueueDirectoryInUse if another process uses the directory, else QueueUnavailable. */
export async function openEmbedded(given: {
  directory: string
  log: (message: string, error: Error) => void
  onProgress: (sentence: string) => void
}): Promise<QueueBackend> {
  const directory = resolve(given.directory)
  const onSlowStart = () => given.onProgress(`Preparing the queue in ${directory}; this may take a few seconds.`)
  let opened: OpenDatabase | undefined
  try {
    opened = await openDatabase({ directory, onSlowStart })
    const { db, freeDisk, close: closeDatabase } = opened
    const pool = pglitePool(db)
    const close = () => pool.end().then(closeDatabase)
    const space = async () => ({ freeDisk: await freeDisk() })
    const backend = await postgresBackend({ kind: 'embedded', pool, log: given.log, space, close })
    await pool.query(`SET search_path TO ${BULLMQ_SCHEMA}`)
    await releaseOrphans(pool)
    return backend
  } catch (thrown) {
    await opened?.close().catch(() => undefined)
    if (thrown instanceof DirectoryInUse) throw new QueueDirectoryInUse(directory, thrown.holder)
    const reason = whyNotOpened(thrown, 'BELLHOP_QUEUE_URL')
    throw new QueueUnavailable(`The queue directory ${directory} cannot be opened: ${reason}`, { cause: thrown })
  }
}
