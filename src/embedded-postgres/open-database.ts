// A PostgreSQL inside this very process (PGlite), kept in a directory that one process has for itself.
import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { lockDirectory } from './directory-lock.ts'

export interface OpenDatabase {
  db: PGlite
  /** Closes the database, then frees the directory. */
  close(): Promise<void>
}

/** Opens the directory's database; throws DirectoryInUse when another has it. `onFirstStart` hears of a slow first start beforehand. */
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

/** A first start that was cut off leaves a database that cannot be opened; nothing was ever stored in it, so it is set aside. */
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
    // Before anything is stored: from now on the database is never set aside.
    if (!existsSync(ready)) await writeFile(ready, 'The database beside this file was opened once and may hold records.\n')
    return db
  } catch (error) {
    await db.close()
    throw error
  }
}
