// When the token expires, whether it may write, and whose it is.
import {
  askTokenExpiry,
  askTokenScope,
  createBotUserLookup,
  createTokenScope,
  daysLeft,
} from '../../../src/bot/service/bot-token.ts'
import { ServiceError } from '../../../src/client/errors.ts'
import { makeClient, playService, service, TOKEN } from '../../client/world.ts'

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

playService()
const star = (status: number, body: object) =>
  service()
    .post(/\/star$/)
    .times(4)
    .reply(status, body)

test.each([
  [404, { message: '404 Project Not Found' }, { is: 'fine' }],
  [403, { error: 'insufficient_scope' }, { is: 'too_narrow', reason: 'insufficient_scope' }],
  [401, { message: '401 Unauthorized' }, { is: 'unknown', reason: expect.stringContaining('401') }],
  [502, {}, { is: 'unknown', reason: expect.stringContaining('502') }],
])('of the answer %i follows', async (status, body, expected) => {
  star(status, body)
  expect(await askTokenScope(makeClient().client)).toEqual(expected)
})

test('is answered at once from the last read, and read again after ten minutes or for another token', async () => {
  let [token, now, asked] = ['narrow', 1_000, 0]
  service()
    .persist()
    .post(/\/star$/)
    .reply(() => {
      asked += 1
      return token === 'narrow' ? [403, { error: 'insufficient_scope' }] : [404, { message: '404 Not Found' }]
    })
  const scope = createTokenScope({ client: makeClient().client, token: () => token, now: () => now })
  expect(scope()).toEqual({ is: 'unknown' })
  await expect.poll(() => scope().is).toBe('too_narrow')
  token = 'wide'
  expect(scope()).toEqual({ is: 'unknown' })
  await expect.poll(() => scope().is).toBe('fine')
  now += 10 * 60_000 - 1
  expect([scope().is, asked]).toEqual(['fine', 2])
  now += 2
  expect(scope().is).toBe('fine')
  await expect.poll(() => asked).toBe(3)
})

test('a token that is replaced while its scope is read ends nothing, and the new one is read', async () => {
  let token = 'old'
  service()
    .persist()
    .post(/\/star$/)
    .delay(50)
    .reply(404, { message: '404 Not Found' })
  const scope = createTokenScope({ client: makeClient().client, token: () => token, now: () => 1_000 })
  scope()
  token = 'new'
  expect(scope()).toEqual({ is: 'unknown' })
  await expect.poll(() => scope().is).toBe('fine')
})

playService()
const bellhop = { id: 4, username: 'bellhop' }

test('concurrent and later callers share one call', async () => {
  const asked = service().get('/user').delay(20).reply(200, bellhop)
  const botUser = createBotUserLookup(makeClient().client, () => TOKEN)
  const answers = await Promise.all(Array.from({ length: 20 }, botUser))
  expect(new Set(answers)).toEqual(new Set([bellhop]))
  expect(await botUser()).toEqual(bellhop)
  expect(asked.isDone()).toBe(true)
})

test('a failure is not cached', async () => {
  service().get('/user').reply(401, { message: '401 Unauthorized' }).get('/user').reply(200, bellhop)
  const botUser = createBotUserLookup(makeClient().client, () => TOKEN)
  await expect(botUser()).rejects.toThrow(/401/)
  expect(await botUser()).toEqual(bellhop)
})

test('a new token is read again', async () => {
  let token = 'first'
  service().get('/user').reply(200, bellhop).get('/user').reply(200, { id: 5, username: 'doorman' })
  const botUser = createBotUserLookup(makeClient({ token: () => token }).client, () => token)
  expect(await botUser()).toEqual(bellhop)
  token = 'second'
  expect(await Promise.all([botUser(), botUser()])).toEqual([
    { id: 5, username: 'doorman' },
    { id: 5, username: 'doorman' },
  ])
})
