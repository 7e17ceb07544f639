// The folder of `bellhop run`: for one run at a time, and only as a run with the same token and target left it.
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openJournalFolder } from '../../../src/cli/run/journal-folder.ts'
import { DirectoryInUse } from '../../../src/embedded-postgres/directory-lock.ts'
import { ownFolder } from '../own-folder.ts'

const of = { version: '0.1.0', serviceUrl: 'https://git.example.com', target: 'hotel/app' }

/** One that a run left, with a record. */
async function usedFolder() {
  const folder = join(ownFolder().folder, '.bellhop')
  const given = { folder, token: 'secret', of, dryRun: false }
  const open = (more: Partial<typeof given> = {}) => openJournalFolder({ ...given, ...more })
  const first = await open()
  expect(first.forgotten).toBe('there is no journal yet')
  const record = join(first.database, 'store', 'record')
  mkdirSync(join(first.database, 'store'), { recursive: true })
  writeFileSync(record, 'merged')
  await first.close()
  return { folder, record, open }
}

test('the next run has what the last one left, run after run', async () => {
  const { record, open } = await usedFolder()
  for (const _ of [1, 2]) {
    const next = await open()
    expect([next.forgotten, readFileSync(record, 'utf8')]).toEqual([undefined, 'merged'])
    await next.close()
  }
})

function replaceByLink(path: string, target: string) {
  renameSync(path, target)
  symlinkSync(target, path)
}

const changes: [string, (given: { folder: string; record: string }) => void, object?][] = [
  ['a record was changed', ({ record }) => writeFileSync(record, 'Merged')],
  ['a record was added', ({ record }) => writeFileSync(`${record}-2`, '')],
  ['a record is a link now', ({ folder, record }) => replaceByLink(record, join(folder, 'other'))],
  ['the seal is gone', ({ folder }) => rmSync(join(folder, 'seal'))],
  ['the seal is another', ({ folder }) => writeFileSync(join(folder, 'seal'), '0'.repeat(64))],
  ['the token is another', () => undefined, { token: 'other' }],
  ['the service is another', () => undefined, { of: { ...of, serviceUrl: 'https://git.example.org' } }],
  ['the version is another', () => undefined, { of: { ...of, version: '0.1.1' } }],
  ['the project is another', () => undefined, { of: { ...of, target: 'hotel/web' } }],
]

test.each(changes)('nothing is used where %s', async (_, change, more = {}) => {
  const used = await usedFolder()
  change(used)
  const next = await used.open(more)
  expect(next.forgotten).toContain('is not as a run for the same projects with this token left it')
  expect(existsSync(used.record)).toBe(false)
  await next.close()
})

test('what a killed run left is not used', async () => {
  const { record, open } = await usedFolder()
  const killed = await open()
  writeFileSync(record, 'half')
  // Without its seal; the lock of a dead process is free.
  await killed.close()
  rmSync(join(killed.database, '..', 'seal'))
  expect((await open()).forgotten).toBeDefined()
})

test('one run at a time', async () => {
  const { open } = await usedFolder()
  const running = await open()
  await expect(open()).rejects.toThrow(DirectoryInUse)
  await running.close()
  await (await open()).close()
})

test('a lock that leads elsewhere is an error, and no other run', async () => {
  const { folder, open } = await usedFolder()
  symlinkSync(join(folder, 'seal'), join(folder, 'lock.sock'))
  await expect(open()).rejects.toThrow('lock.sock is a symbolic link: remove it')
})

test('a dry run has a copy, and leaves the folder as it is', async () => {
  const { record, open, folder } = await usedFolder()
  const seal = readFileSync(join(folder, 'seal'))
  const tried = await open({ dryRun: true })
  expect(readFileSync(join(tried.database, 'store', 'record'), 'utf8')).toBe('merged')
  writeFileSync(join(tried.database, 'store', 'record'), 'tried')
  await tried.close()
  expect([readFileSync(record, 'utf8'), readFileSync(join(folder, 'seal'))]).toEqual(['merged', seal])
  expect(existsSync(tried.database)).toBe(false)
})
