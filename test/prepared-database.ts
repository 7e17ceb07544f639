// Embedded databases as their first start leaves them: made once for a run of the tests, because making one takes 5 s of a core.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { openDatabase } from '../src/embedded-postgres/open-database.ts'

const run = promisify(execFile)

/** Puts an empty database where `openDatabase` keeps its own in that directory, which need not be there; gives the directory. */
export async function prepareDatabase(directory: string): Promise<string> {
  const empty = await emptyDatabase()
  await mkdir(directory, { recursive: true })
  await run('cp', ['-R', join(empty, 'store'), join(directory, 'store')])
  return directory
}

let made: Promise<string> | undefined

/** The folder of the one that is copied. */
function emptyDatabase(): Promise<string> {
  made ??= make(inject('runFolder'))
  return made
}

async function make(runFolder: string): Promise<string> {
  const final = join(runFolder, 'empty-database')
  if (existsSync(final)) return final
  const own = await mkdtemp(join(runFolder, 'database-'))
  await (await openDatabase({ directory: own })).close()
  // Of two workers that begin at once, the first to be ready gives its own to both.
  await rename(own, final).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
  })
  return final
}
