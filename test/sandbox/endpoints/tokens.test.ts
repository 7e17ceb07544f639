// The caller's own token: shown without its text, expired, and rotated.
import { eachCase, openWorld, test } from '../sandbox-world.ts'

const self = '/personal_access_tokens/self'
const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000).toISOString().slice(0, 10)

test('a token tells its expiry date and not its text; root’s never expires', async ({ world }) => {
  const ann = await world.user('ann')
  const own = await ann.get(self)
  expect(own).toMatchObject({
    ...{ user_id: ann.id, name: 'test', scopes: ['api'] },
    ...{ expires_at: inDays(365), active: true, revoked: false },
  })
  expect(own).not.toHaveProperty('token')
  expect(own).not.toHaveProperty('digest')
  expect(await world.get(self)).toMatchObject({ user_id: 1, expires_at: null })
  expect(await world.nobody.status('GET', self)).toBe(401)
})

test('a rotated token keeps its name, owner and scopes; the old one stops working', async ({ world }) => {
  const ann = await world.user('ann')
  const before = await ann.get(self)
  const rotated = await ann.post(`${self}/rotate`, { expires_at: inDays(30) })
  expect(rotated).toMatchObject({ user_id: ann.id, name: 'test', scopes: ['api'], expires_at: inDays(30) })
  expect(rotated.id).not.toBe(before.id)
  expect(await ann.status('GET', '/user')).toBe(401)
  expect(await ann.status('POST', `${self}/rotate`, {})).toBe(401)
  expect(await world.get('/user', rotated.token)).toMatchObject({ id: ann.id })
  // Without a date it lasts a week.
  expect((await world.post(`${self}/rotate`, {}, rotated.token)).expires_at).toBe(inDays(7))
})

test('of two rotations at once one succeeds', async ({ world }) => {
  const ann = await world.user('ann')
  const both = await Promise.all([1, 2].map(() => ann.status('POST', `${self}/rotate`, {})))
  expect(both.sort()).toEqual([200, 401])
})

test('a token that has expired is refused', async ({ world }) => {
  const ann = await world.user('ann')
  await world.sandbox.within(async ({ tokens }) => {
    const token = tokens.all().find(({ user_id }) => user_id === ann.id)
    tokens.update(Number(token?.id), { expires_at: inDays(0) })
  })
  expect(await ann.answer('GET', '/user')).toEqual([401, { message: '401 Unauthorized' }])
  expect(await ann.status('GET', self)).toBe(401)
})

test('a date is a day of the coming year', async ({ world }) => {
  const ann = await world.user('ann')
  await eachCase(
    [
      ['tomorrow', 'is invalid'],
      [inDays(-1), 'cannot be a date in the past'],
      [inDays(400), `must be before ${inDays(366)}`],
    ] as const,
    async ([expires_at, sentence]) => {
      const refused = [400, { message: { expires_at: [sentence] } }]
      expect(await ann.answer('POST', `${self}/rotate`, { expires_at })).toEqual(refused)
    },
  )
  expect(await ann.status('GET', '/user')).toBe(200)
})

test.each([
  ['read_user', 200, 403],
  ['self_rotate', 200, 200],
  ['read_repository', 403, 403],
])('the scope %s reads it with %i and rotates it with %i', async (scope, read, rotate) => {
  const world = await openWorld()
  const ann = await world.user('ann')
  const { token } = await world.post(`/users/${ann.id}/personal_access_tokens`, { name: 'x', scopes: [scope] })
  expect(await world.status('GET', self, undefined, token)).toBe(read)
  expect(await world.status('POST', `${self}/rotate`, {}, token)).toBe(rotate)
})
