// Whether the token may write: asked seldom, never waited for. test/cli/commands/doctor.test.ts asks a real sandbox.
import { askTokenScope, createTokenScope } from '../../../src/bot/service/bot-token.ts'
import { makeClient, playService, service } from '../../client/world.ts'

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
