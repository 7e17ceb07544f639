// When the token expires, read from the sandbox, and from services that do not tell.
import { expect, test, vi } from 'vitest'
import { askTokenExpiry, daysLeft } from '../../../src/bot/service/token-expiry.ts'
import { createClient } from '../../../src/client/create-client.ts'
import { ServiceError } from '../../../src/client/errors.ts'
import { openWorld } from '../../sandbox/sandbox-world.ts'

const day = 24 * 60 * 60_000
const inDays = (days: number) => new Date(Date.now() + days * day).toISOString().slice(0, 10)

test('a token tells its date, root’s that it has none', async () => {
  const world = await openWorld()
  const ann = await world.user('ann', { bot: true })
  const as = (token: string) => createClient({ baseUrl: world.url, token, attempts: 1 })
  expect(await askTokenExpiry(as(ann.token))).toEqual({ is: 'on', date: inDays(365), token: expect.any(Number) })
  expect(await askTokenExpiry(as('root-token'))).toEqual({ is: 'never' })
})

test.each([
  ['an older service', { status: 404 } as const, '404'],
  ['a token that may not ask', { status: 403 } as const, '403'],
  ['a token of OAuth', { status: 400 } as const, '400'],
  ['a date that is none', { rewrite: (body: unknown) => ({ ...Object(body), expires_at: 'soon' }) }, 'no date'],
  ['no date', { rewrite: () => ({ id: 1 }) }, 'no date'],
])('of %s it is unknown', async (_name, fault, reason) => {
  const world = await openWorld()
  world.sandbox.faults.api({ endpoint: 'users.currentToken', do: fault })
  const client = createClient({ baseUrl: world.url, token: 'root-token', attempts: 1 })
  expect(await askTokenExpiry(client)).toEqual({ is: 'unknown', reason: expect.stringContaining(reason) })
})

test.each([401, 429, 502])('a %i may be over later, so it is thrown', async (status) => {
  const world = await openWorld()
  world.sandbox.faults.api({ endpoint: 'users.currentToken', do: { status } })
  const client = createClient({ baseUrl: world.url, token: 'root-token', attempts: 1 })
  await expect(askTokenExpiry(client)).rejects.toThrow(ServiceError)
})

test.each([
  ['2026-11-24', 0],
  ['2026-11-25', 0.5],
  ['2026-12-24', 29.5],
  ['2026-01-01', 0],
])('at noon of 2026-11-24, a token of %s has %d days left', (date, left) => {
  expect(daysLeft({ date }, Date.parse('2026-11-24T12:00:00Z'))).toBe(left)
})

test('a date is one of UTC, whatever the time zone of the machine', () => {
  vi.stubEnv('TZ', 'Pacific/Auckland')
  try {
    expect(daysLeft({ date: '2026-11-25' }, Date.parse('2026-11-24T12:00:00Z'))).toBe(0.5)
  } finally {
    vi.unstubAllEnvs()
  }
})
