// Opens PostgreSQL in this process (PGlite), in a directory locked for it.
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { lockDirectory } from './directory-lock.ts'

export interface OpenDatabase {
  db: PGlite
  /** Closes the database and unlocks the directory. */
  close(): Promise<void>
}

/** Throws DirectoryInUse. `onFirstStart` is called before a slow first start. */
export async function openDatabase(given: { directory: string; onFirstStart?: () => void }): Promise<OpenDatabase> {
  const directory = resolve(given.directory)
  const unlock = await lockDirectory(directory)
  try {
    const db = await openIn(directory, given.onFirstStart ?? (() => undefined))
    return {
      db,
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
async function openIn(directory: string, onFirstStart: () => void): Promise<PGlite> {
  const data = join(directory, 'store')
  const ready = join(directory, 'ready')
  const fresh = !existsSync(join(data, 'PG_VERSION'))
  if (fresh) onFirstStart()
  await mkdir(data, { recursive: true })
  let db: PGlite
  try {
    db = await PGlite.create({ dataDir: data })
  } catch (thrown) {
    if (fresh || existsSync(ready)) throw thrown
    await rename(data, `${data}.unfinished-${Date.now()}`)
    return openIn(directory, onFirstStart)
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
