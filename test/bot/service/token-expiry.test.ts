// When the token expires, as services tell it or not.
import { askTokenExpiry, daysLeft } from '../../../src/bot/service/bot-token.ts'
import { ServiceError } from '../../../src/client/errors.ts'
import { makeClient, playService, service } from '../../client/world.ts'

playService()

/** What follows from this answer. */
function asked(status: number, body: object = {}) {
  service().get('/personal_access_tokens/self').times(4).reply(status, body)
  return askTokenExpiry(makeClient().client)
}

test.each([
  ['2027-01-02', { is: 'on', date: '2027-01-02', token: 7 }],
  [null, { is: 'never' }],
  ['soon', { is: 'unknown', reason: 'the service tells no date' }],
  [undefined, { is: 'unknown', reason: 'the service tells no date' }],
])('a token that expires at %s', async (expires_at, expected) => {
  expect(await asked(200, { id: 7, expires_at })).toEqual(expected)
})

test.each([400, 403, 404])('a %i tells nothing: an older service, or a token that may not ask', async (status) => {
  expect(await asked(status)).toEqual({ is: 'unknown', reason: expect.stringContaining(String(status)) })
})

test.each([401, 429, 502])('a %i may be over later, so it is thrown', async (status) => {
  await expect(asked(status)).rejects.toThrow(ServiceError)
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
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(daysLeft({ date: '2026-11-25' }, Date.parse('2026-11-24T12:00:00Z'))).toBe(0.5)
})
