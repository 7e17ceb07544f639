// The folder of `bellhop run`: for one run at a time, and used only as the last run of this token has left it. Others
// may write to a CI cache, and what Bellhop remembers can merge.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lockDirectory } from '../../embedded-postgres/directory-lock.ts'

export interface JournalFolder {
  /** The directory of the embedded queue and journal. */
  database: string
  /** Why nothing is remembered; undefined if something is. */
  forgotten: string | undefined
  /** To be called once the database is closed. A run that is killed leaves what no other run uses. */
  close(): Promise<void>
}

interface FolderOptions {
  folder: string
  token: string
  /** What it is for: a run for other projects would not know what happened in these, and another version may not read it. */
  of: { version: string; serviceUrl: string; target: string | undefined }
  /** Works on a copy, and leaves the folder as it is. */
  dryRun: boolean
}

/** Throws DirectoryInUse. */
export async function openJournalFolder(options: FolderOptions): Promise<JournalFolder> {
  const { folder, dryRun } = options
  const database = join(folder, 'journal')
  if (dryRun && !existsSync(database)) return copyOf(database, NONE)
  const unlock = await lockDirectory(folder)
  try {
    const forgotten = await whyForgotten(options, database)
    if (dryRun) {
      const copy = await copyOf(database, forgotten)
      await unlock()
      return copy
    }
    // What was not written by a run must not even be opened.
    if (forgotten !== undefined) for (const name of WHAT_IS_STORED) await remove(join(database, name))
    await remove(sealOf(folder))
    return {
      database,
      forgotten,
      async close() {
        if (existsSync(database)) await writeFile(sealOf(folder), await sign(options, database))
        await unlock()
      },
    }
  } catch (error) {
    await unlock()
    throw error
  }
}

const NONE = 'there is no journal yet'
/** What the embedded database makes in its directory. */
const WHAT_IS_STORED = ['store', 'ready']
const sealOf = (folder: string) => join(folder, 'seal')
const remove = (path: string) => rm(path, { recursive: true, force: true })

async function whyForgotten(options: FolderOptions, database: string): Promise<string | undefined> {
  if (!existsSync(join(database, 'store'))) return NONE
  const seal = await readFile(sealOf(options.folder)).catch(() => Buffer.of())
  const expected = Buffer.from(await sign(options, database))
  if (seal.length === expected.length && timingSafeEqual(seal, expected)) return undefined
  return `the journal in ${options.folder} is not as a run for the same projects with this token left it`
}

/** Of all files, by their paths, with a key that only who has the token can have. */
async function sign({ token, of }: FolderOptions, database: string): Promise<string> {
  const code = createHmac('sha256', `bellhop run ${token}`).update(JSON.stringify(of))
  const entries = await readdir(database, { recursive: true, withFileTypes: true })
  const paths = entries.map((entry) => ({ path: join(entry.parentPath, entry.name), entry }))
  for (const { path, entry } of paths.sort((a, b) => (a.path < b.path ? -1 : 1))) {
    // A link could lead to something that changes later.
    const content = entry.isFile() ? await readFile(path) : Buffer.of()
    const type = entry.isFile() ? 'file' : entry.isDirectory() ? 'directory' : 'other'
    code.update(JSON.stringify([path.slice(database.length), type, content.length])).update(content)
  }
  return code.digest('hex')
}

async function copyOf(database: string, forgotten: string | undefined): Promise<JournalFolder> {
  const copy = await mkdtemp(join(tmpdir(), 'bellhop-run-'))
  if (forgotten === undefined) await cp(database, copy, { recursive: true })
  return { database: copy, forgotten, close: () => remove(copy) }
}
