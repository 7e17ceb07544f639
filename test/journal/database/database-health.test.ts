// What /readyz is told of the journal's database: what it answers, and what it refused a moment ago.
import { expect, test } from 'vitest'
import { databaseHealth } from '../../../src/journal/database/database-health.ts'
import { JournalUnavailable } from '../../../src/journal/errors.ts'

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
