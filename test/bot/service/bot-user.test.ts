// Who the bot is, asked once of each token.
import { expect, test } from 'vitest'
import { createBotUserLookup } from '../../../src/bot/service/bot-user.ts'
import { makeClient, playService, service, TOKEN } from '../../client/world.ts'

playService()

test('many who ask at the same time cost one call, and so do all who ask later', async () => {
  const asked = service().get('/user').delay(20).reply(200, { id: 4, username: 'bellhop' })
  const self = createBotUserLookup(makeClient().client, () => TOKEN)
  const answers = await Promise.all(Array.from({ length: 20 }, self))
  expect(new Set(answers)).toEqual(new Set([{ id: 4, username: 'bellhop' }]))
  expect(await self()).toEqual({ id: 4, username: 'bellhop' })
  expect(asked.isDone()).toBe(true)
})

test('a try that failed is not kept: who asks next asks again', async () => {
  service()
    .get('/user')
    .reply(401, { message: '401 Unauthorized' })
    .get('/user')
    .reply(200, { id: 4, username: 'bellhop' })
  const self = createBotUserLookup(makeClient().client, () => TOKEN)
  await expect(self()).rejects.toThrow(/401/)
  expect(await self()).toEqual({ id: 4, username: 'bellhop' })
})

test('an answer that names nobody is an error', async () => {
  service().get('/user').reply(200, {})
  await expect(createBotUserLookup(makeClient().client, () => TOKEN)()).rejects.toThrow(
    'GET /user does not say who the token belongs to',
  )
})

test('a new token is another user’s until that was asked', async () => {
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
