// What is loaded to open a journal.
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'
import { JournalUnavailable } from '../../src/journal/errors.ts'
import { databaseHealth } from '../../src/journal/open-journal.ts'

const source = resolve(import.meta.dirname, '../../src/journal/open-journal.ts')

test('no client of Redis is loaded before there is a Redis', async () => {
  const program = `
    import { createRequire } from 'node:module'
    await import(${JSON.stringify(source)})
    const { cache } = createRequire(${JSON.stringify(source)})
    console.log(Object.keys(cache).filter((path) => path.includes('/ioredis/')).length)`
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
    program,
  ])
  expect(Number(stdout)).toBe(0)
})

const refusal = (code: string) =>
  new JournalUnavailable('refused', { cause: Object.assign(new Error('refused'), { code }) })

test('a failure counts for ten seconds, although the database answers', async () => {
  let now = 0
  const health = databaseHealth({ ping: async () => undefined }, () => now)
  await health.ping()
  const full = refusal('53100')
  health.failed(full)
  now = 9_999
  await expect(health.ping()).rejects.toBe(full)
  now = 10_000
  await health.ping()
})

test('a lost connection counts only as long as the database does not answer', async () => {
  let isAway = true
  const away = refusal('ECONNRESET')
  const health = databaseHealth({ ping: () => (isAway ? Promise.reject(away) : Promise.resolve()) }, () => 0)
  health.failed(away)
  await expect(health.ping()).rejects.toBe(away)
  isAway = false
  await health.ping()
})
