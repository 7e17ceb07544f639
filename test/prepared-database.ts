// Embedded databases as their first start leaves them: copies of one, because making one takes 5 s of a core.
import { execFile } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openDatabase } from '../src/embedded-postgres/open-database.ts'
import { onceForRun } from './once-for-run.ts'

const run = promisify(execFile)

/** Puts an empty database where `openDatabase` keeps its own in that directory, which need not be there; gives the directory. */
export async function prepareDatabase(directory: string): Promise<string> {
  const empty = await onceForRun('empty-database', async (folder) => (await openDatabase({ directory: folder })).close())
  await mkdir(directory, { recursive: true })
  await run('cp', ['-R', join(empty, 'store'), join(directory, 'store')])
  return directory
}
