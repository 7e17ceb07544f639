// Who the bot is, asked once.
import { expect, test } from 'vitest'
import { rememberSelf } from '../../src/bot/remember-self.ts'
import { makeClient, playService, service } from '../client/world.ts'

playService()

test('many who ask at the same time cost one call, and so do all who ask later', async () => {
  const asked = service().get('/user').delay(20).reply(200, { id: 4, username: 'bellhop' })
  const self = rememberSelf(makeClient().client)
  const answers = await Promise.all(Array.from({ length: 20 }, self))
  expect(new Set(answers)).toEqual(new Set([{ id: 4, username: 'bellhop' }]))
  expect(await self()).toEqual({ id: 4, username: 'bellhop' })
  expect(asked.isDone()).toBe(true)
})

test('a try that failed is not kept: who asks next asks again', async () => {
  service().get('/user').reply(401, { message: '401 Unauthorized' }).get('/user').reply(200, { id: 4, username: 'bellhop' })
  const self = rememberSelf(makeClient().client)
  await expect(self()).rejects.toThrow(/401/)
  expect(await self()).toEqual({ id: 4, username: 'bellhop' })
})

test('an answer that names nobody is an error', async () => {
  service().get('/user').reply(200, {})
  await expect(rememberSelf(makeClient().client)()).rejects.toThrow('GET /user does not say who the token belongs to')
})
