// Leftovers are found: a secret in files and tables of queue and journal, and an acknowledged hook that was never read.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { secretsInFiles, secretsInTables, unreadHooks } from '../../soak/leftovers.ts'
import { ownFolder } from '../cli/own-folder.ts'
import { hasPostgresServer, startPostgres } from '../servers/postgres-server.ts'

test('a secret in any file of the queue', async () => {
  const { folder } = ownFolder()
  await mkdir(join(folder, 'inner'))
  await writeFile(join(folder, 'inner', 'log'), Buffer.from('\0\xffhush-hush\0', 'latin1'))
  expect(await secretsInFiles([folder], ['something else'])).toEqual([])
  expect(await secretsInFiles([folder], ['something else', 'hush-hush'])).toMatchObject([
    { detail: join(folder, 'inner', 'log') },
  ])
})

test.skipIf(!hasPostgresServer())('a secret in any table of the journal, also in a long value', async () => {
  const server = await startPostgres()
  const url = server.database('journal')
  onTestFinished(() => server.stop())
  server.run(
    'CREATE SCHEMA kept; CREATE TABLE kept.first (value text); CREATE TABLE kept.second (value text)',
    'journal',
  )
  server.run("INSERT INTO kept.second VALUES (repeat('long ', 10000) || 'hush-hush')", 'journal')
  expect(await secretsInTables(url, ['something else'])).toEqual([])
  expect(await secretsInTables(url, ['something else', 'hush-hush'])).toMatchObject([{ detail: 'kept.second' }])
})

test('a hook that was answered 202 and that the journal does not know, or has only received', () => {
  const hook = (taken: string, fate: 'acknowledged' | 'uncertain') => ({ at: 1, id: taken, kind: 'note', fate, taken })
  const hooks = [
    hook('read', 'acknowledged'),
    hook('received', 'acknowledged'),
    hook('gone', 'acknowledged'),
    hook('other', 'uncertain'),
  ]
  const found = unreadHooks(
    hooks,
    new Map([
      ['read', 'read'],
      ['received', 'received'],
    ]),
  )
  expect(found.map(({ detail }) => detail)).toEqual([
    'hook received (note) was answered 202, and is received',
    'hook gone (note) was answered 202, and is not known',
  ])
})
