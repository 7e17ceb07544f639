// Users and tokens: made by administrators, each name once.
import { expect, test } from 'vitest'
import { openWorld } from '../sandbox-world.ts'

test('an administrator makes users and tokens, which sign in', async () => {
  const world = await openWorld()
  const bot = await world.user('helper', { bot: true })
  expect(await world.done('GET', '/user', undefined, bot.token)).toMatchObject({
    id: bot.id,
    username: 'helper',
    bot: true,
    is_admin: false,
  })
})

test('nobody else does', async () => {
  const world = await openWorld()
  const ann = await world.user('ann')
  const body = { username: 'ben', name: 'Ben', email: 'ben@example.com' }
  expect((await world.call('POST', '/users', body, ann.token)).body).toEqual({ message: '403 Forbidden' })
  const token = { name: 'mine', scopes: ['api'] }
  expect((await world.call('POST', `/users/${ann.id}/personal_access_tokens`, token, ann.token)).status).toBe(403)
})

test.each([
  [{ username: 'Ann' }, 409, 'Username has already been taken'],
  [{ email: 'ANN@example.com' }, 409, 'Email has already been taken'],
  [{ email: 'nothing' }, 400, { email: ['is invalid'] }],
  [{ username: 'api' }, 400, { username: ['api is a reserved name'] }],
])('a user with %o is refused', async (change, status, message) => {
  const world = await openWorld()
  await world.user('ann')
  const answer = await world.call('POST', '/users', { username: 'ben', name: 'Ben', email: 'ben@example.com', ...change })
  expect([answer.status, answer.body.message]).toEqual([status, message])
})

test('e-mail and rights are shown to the user and to administrators only', async () => {
  const world = await openWorld()
  const ann = await world.user('ann')
  const ben = await world.user('ben')
  expect((await world.done('GET', '/users?username=ANN', undefined, ben.token))[0]).not.toHaveProperty('email')
  expect((await world.done('GET', '/users?username=ann', undefined, ann.token))[0].email).toBe('ann@example.com')
  expect(await world.done('GET', '/users?search=nn')).toHaveLength(1)
})

test('a token for nobody is 404', async () => {
  const world = await openWorld()
  const answer = await world.call('POST', '/users/99/personal_access_tokens', { name: 'x', scopes: ['api'] })
  expect(answer.body).toEqual({ message: '404 User Not Found' })
})
