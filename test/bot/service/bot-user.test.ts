// The bot user, read once for each token.
import { expect, test } from 'vitest'
import { createBotUserLookup } from '../../../src/bot/service/bot-user.ts'
import { makeClient, playService, service, TOKEN } from '../../client/world.ts'

playService()

test('concurrent and later callers share one call', async () => {
  const asked = service().get('/user').delay(20).reply(200, { id: 4, username: 'bellhop' })
  const self = createBotUserLookup(makeClient().client, () => TOKEN)
  const answers = await Promise.all(Array.from({ length: 20 }, self))
  expect(new Set(answers)).toEqual(new Set([{ id: 4, username: 'bellhop' }]))
  expect(await self()).toEqual({ id: 4, username: 'bellhop' })
  expect(asked.isDone()).toBe(true)
})

test('a failure is not cached', async () => {
  service()
    .get('/user')
    .reply(401, { message: '401 Unauthorized' })
    .get('/user')
    .reply(200, { id: 4, username: 'bellhop' })
  const self = createBotUserLookup(makeClient().client, () => TOKEN)
  await expect(self()).rejects.toThrow(/401/)
  expect(await self()).toEqual({ id: 4, username: 'bellhop' })
})

test('a response without a user is an error', async () => {
  service().get('/user').reply(200, {})
  await expect(createBotUserLookup(makeClient().client, () => TOKEN)()).rejects.toThrow(
    'GET /user does not say who the token belongs to',
  )
})

test('a new token is read again', async () => {
  let token = 'first'
  service()
    .get('/user')
    .reply(200, { id: 4, username: 'bellhop' })
    .get('/user')
    .reply(200, { id: 5, username: 'doorman' })
  const self = createBotUserLookup(makeClient({ token: () => token }).client, () => token)
  expect(await self()).toEqual({ id: 4, username: 'bellhop' })
  token = 'second'
  expect(await Promise.all([self(), self()])).toEqual([
    { id: 5, username: 'doorman' },
    { id: 5, username: 'doorman' },
  ])
})
