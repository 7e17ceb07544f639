// A database in a directory: kept, locked, set aside only while nothing was ever stored in it.
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DirectoryInUse } from '../../src/embedded-postgres/directory-lock.ts'
import { openDatabase } from '../../src/embedded-postgres/open-database.ts'
import { ownFolder } from '../cli/own-folder.ts'

/** What a first start leaves that was cut off in the middle. */
function unfinished(at: string): void {
  mkdirSync(join(at, 'store'), { recursive: true })
  writeFileSync(join(at, 'store', 'PG_VERSION'), '17\n')
}

test('stored data is there after a restart, a second process is refused, and a start that makes the database says so at once', async () => {
  const at = ownFolder().folder
  const said: string[] = []
  const given = { directory: at, onSlowStart: () => said.push('slow') }
  const first = await openDatabase(given)
  await first.db.exec("CREATE TABLE kept (word text); INSERT INTO kept VALUES ('one')")
  await expect(openDatabase(given)).rejects.toThrow(DirectoryInUse)
  await first.close()
  expect(said).toEqual(['slow'])
  const second = await openDatabase({ directory: at })
  expect((await second.db.query('SELECT word FROM kept')).rows).toEqual([{ word: 'one' }])
  await second.close()
})

test('a first start that was cut off is set aside and made again', async () => {
  const at = ownFolder().folder
  unfinished(at)
  const { db, close } = await openDatabase({ directory: at })
  expect((await db.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  await close()
  expect(readdirSync(at).filter((name) => name.startsWith('store.unfinished-'))).toHaveLength(1)
})

test('a damaged database that may hold records is refused and left as it is, and the directory is free again', async () => {
  const at = ownFolder().folder
  unfinished(at)
  writeFileSync(join(at, 'ready'), '')
  await expect(openDatabase({ directory: at })).rejects.toThrow()
  expect(readdirSync(at).sort()).toEqual(['ready', 'store'])
  expect(existsSync(join(at, 'store', 'PG_VERSION'))).toBe(true)
  await expect(openDatabase({ directory: at })).rejects.not.toThrow(DirectoryInUse)
})
