// The merge queue with real git: entries are tested on top of each other, and land as they were tested.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type QueueWorld, startQueueWorld } from './queue-world.ts'

let world: QueueWorld

beforeAll(async () => {
  world = await startQueueWorld()
})
afterAll(() => world.end())

test('two entries are tested on top of each other, and land in their order', async () => {
  const one = await world.enter('one')
  const two = await world.enter('two')
  expect(Object.keys(await world.builds())).toEqual(['1', '2'])
  await world.report(2, 'success')
  expect([await world.stateOf(one.iid), await world.stateOf(two.iid)]).toEqual(['opened', 'opened'])
  await world.report(1, 'success')
  expect([await world.stateOf(one.iid), await world.stateOf(two.iid)]).toEqual(['merged', 'merged'])
  expect([await world.has('one.md'), await world.has('two.md')]).toEqual([true, true])
  expect(await world.builds()).toEqual({})
  expect((await world.record())?.paused).toBeUndefined()
  expect(await world.notes(one.iid)).toEqual(['The merge queue tested it on top of `master`, and landed it.'])
})
