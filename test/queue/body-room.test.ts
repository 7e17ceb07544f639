// Room for bodies: never more than there is, in turn, and nobody waits for ever.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBodyRoom, type Leave } from '../../src/queue/body-room.ts'

const LONG = 60_000

async function entered(waiting: Promise<Leave | undefined>): Promise<Leave> {
  const leave = await waiting
  if (leave === undefined) throw new Error('there was no room')
  return leave
}

test('who finds no room waits until someone leaves, first come, first served', async () => {
  const room = createBodyRoom(10)
  const first = await entered(room.enter(6, LONG))
  const order: string[] = []
  const large = entered(room.enter(6, LONG)).then(() => order.push('large'))
  const small = entered(room.enter(1, LONG)).then(() => order.push('small'))
  first()
  await Promise.all([large, small])
  expect(order).toEqual(['large', 'small'])
})

test('who waited too long is told so, and holds nobody back', async () => {
  const room = createBodyRoom(10)
  await entered(room.enter(6, LONG))
  const late = room.enter(6, 1)
  const behind = room.enter(1, LONG)
  expect(await late).toBeUndefined()
  await entered(behind)
})

test('one that is larger than the room enters alone', async () => {
  const room = createBodyRoom(10)
  const leave = await entered(room.enter(100, LONG))
  expect(await room.enter(1, 1)).toBeUndefined()
  leave()
  await entered(room.enter(1, LONG))
})

test('leaving twice gives the room back once', async () => {
  const room = createBodyRoom(10)
  const leave = await entered(room.enter(5, LONG))
  await entered(room.enter(5, LONG))
  leave()
  leave()
  await entered(room.enter(5, LONG))
  expect(await room.enter(1, 1)).toBeUndefined()
})

test('whoever comes and goes, no more than the room is taken, and all get in', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 10 }), { maxLength: 50 }), async (sizes) => {
      const room = createBodyRoom(10)
      let taken = 0
      let most = 0
      await Promise.all(
        sizes.map(async (size) => {
          const leave = await entered(room.enter(size, LONG))
          taken += size
          most = Math.max(most, taken)
          await new Promise(setImmediate)
          taken -= size
          leave()
        }),
      )
      expect(most).toBeLessThanOrEqual(10)
    }),
    { numRuns: 50 },
  )
})
