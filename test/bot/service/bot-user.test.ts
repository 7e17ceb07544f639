// The bot user, read once for each token.
import { createBotUserLookup } from '../../../src/bot/service/bot-user.ts'
import { makeClient, playService, service, TOKEN } from '../../client/world.ts'

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
