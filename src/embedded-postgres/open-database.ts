// Opens PostgreSQL in this process (PGlite), in a directory locked for it.
import { existsSync } from 'node:fs'
import { mkdir, rename, statfs, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { PGlite } from '@electric-sql/pglite'
import { lockDirectory } from './directory-lock.ts'
import { sayingWhenSlow } from './saying-when-slow.ts'
import { unpackTemplate } from './template.ts'

/** PGlite's own buffers of 128 MB would make the process twice as large, and no query of ours faster. */
const startParams = [...PGlite.defaultStartParams, '-c', 'shared_buffers=16MB']

/**
 * V8 compiles PGlite a second time, optimised, while it runs: that takes 70 MB and a second of every start, and the
 * processor time of 3,000 deliveries is the same without it. Modules that are compiled from here on are compiled once.
 */
setFlagsFromString('--liftoff-only')

export interface OpenDatabase {
  db: PGlite
  /** Free bytes on its disk. */
  freeDisk(): Promise<number>
  /** Closes the database and unlocks the directory. */
  close(): Promise<void>
}

/** Throws DirectoryInUse. `onSlowStart` is called once if opening takes longer than a second. */
export async function openDatabase(given: { directory: string; onSlowStart?: () => void }): Promise<OpenDatabase> {
  const directory = resolve(given.directory)
  const unlock = await lockDirectory(directory)
  try {
    const db = await sayingWhenSlow(given.onSlowStart ?? (() => undefined), (slow) => openIn(directory, slow))
    return {
      db,
      async freeDisk() {
        const { bavail, bsize } = await statfs(directory)
        return bavail * bsize
      },
      async close() {
        await db.close().finally(unlock)
      },
    }
  } catch (error) {
    await unlock()
    throw error
  }
}

/** An interrupted first start leaves a broken, empty database, which is set aside. */
async function openIn(directory: string, slow: () => void): Promise<PGlite> {
  const data = join(directory, 'store')
  const ready = join(directory, 'ready')
  const fresh = !existsSync(join(data, 'PG_VERSION'))
  if (fresh && (existsSync(data) || !(await unpackTemplate(data)))) {
    // It blocks the process for seconds.
    slow()
    await mkdir(data, { recursive: true })
  }
  let db: PGlite
  try {
    db = await PGlite.create({ dataDir: data, startParams })
  } catch (thrown) {
    if (fresh || existsSync(ready)) throw thrown
    await rename(data, `${data}.unfinished-${Date.now()}`)
    return openIn(directory, slow)
  }
  try {
    // Before anything is stored: now the database is never set aside.
    if (!existsSync(ready))
      await writeFile(ready, 'The database next to this file was opened once and may hold records.\n')
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}
