// When deliveries are turned down: before memory or disk is used up; red earlier; and who is told when it is over.
import { describe, expect, test } from 'vitest'
import { createStoreRoom, type RoomCondition } from '../../src/bot/store-room.ts'
import type { StoreSpace } from '../../src/queue/types.ts'

function make() {
  const store = { space: {} as StoreSpace, waiting: 0, bytes: 0, isAway: false, looks: 0 }
  const conditions: RoomCondition[] = []
  const recovered: Date[] = []
  let now = 1_000
  const room = createStoreRoom({
    queue: {
      space: async () => {
        if (store.isAway) throw new Error('away')
        return store.space
      },
    },
    deliveries: {
      backlog: async () => {
        store.looks += 1
        return { jobs: store.waiting, bytes: store.bytes }
      },
    },
    limits: { backlog: 100, backlogBytes: 100_000_000, memoryPercent: 50, freeDisk: 1_000 },
    now: () => now++,
    onChange: (condition) => conditions.push(condition),
    onRecovered: (since) => recovered.push(since),
  })
  const when = async (change: Partial<typeof store>) => {
    Object.assign(store, change)
    await room.look()
    return room.condition().is
  }
  return { room, when, conditions, recovered, store }
}

describe('how near the end is', () => {
  test.each([
    ['waiting deliveries', (used: number): object => ({ waiting: used })],
    ['the bytes of waiting deliveries', (used: number): object => ({ waiting: 1, bytes: used * 1_000_000 })],
    ['Redis’ memory, of the part that may be used', (used: number): object => ({ space: { memory: { used: used * 5, limit: 1_000 } } })],
    ['the disk', (used: number): object => ({ space: { freeDisk: Math.ceil(100_000 / Math.max(used, 1)) } })],
  ])('is measured by %s: tight from 80 %%, full at the limit', async (_name, at) => {
    const { when } = make()
    expect([await when(at(0)), await when(at(79)), await when(at(80)), await when(at(99)), await when(at(100))]).toEqual([
      ...['free', 'free', 'tight', 'tight', 'full'],
    ])
  })

  test('is said by what is nearest to it', async () => {
    const { room, when } = make()
    await when({ waiting: 85, space: { memory: { used: 499, limit: 1_000 }, freeDisk: 10_000 } })
    expect(room.condition()).toEqual({ is: 'tight', reason: 'Redis uses 49 % of its memory.' })
  })

  test('in bytes is said in megabytes', async () => {
    const { room, when } = make()
    await when({ waiting: 4, bytes: 90_000_000 })
    expect(room.condition()).toEqual({ is: 'tight', reason: '85 MB of deliveries wait to be read.' })
  })

  test.each([
    ['bytes', 3_000_000, 2],
    ['deliveries', 10, 5],
  ])('is looked at when a twentieth of the %s was taken in, though no look is due', async (_what, bytes, deliveries) => {
    const { room, store } = make()
    for (let n = 1; n < deliveries; n += 1) room.kept(bytes)
    expect(store.looks).toBe(0)
    Object.assign(store, { waiting: 100 })
    room.kept(bytes)
    await expect.poll(() => room.condition().is).toBe('full')
    room.kept(bytes)
    expect(store.looks).toBe(1)
  })

  test('a store that says nothing of itself, or has a full disk of nothing, breaks nothing', async () => {
    const { when } = make()
    expect([await when({ space: {} }), await when({ space: { freeDisk: 0 } })]).toEqual(['free', 'full'])
  })

  test('a store that does not answer is away', async () => {
    const { when, conditions } = make()
    expect([await when({ isAway: true }), await when({ isAway: false })]).toEqual(['away', 'free'])
    expect(conditions.map(({ is }) => is)).toEqual(['away', 'free'])
  })
})

describe('that deliveries were turned down', () => {
  test('is told once, with the time of the first, when there is room again', async () => {
    const { room, when, recovered } = make()
    await when({ waiting: 100 })
    room.turnedDown()
    room.turnedDown()
    await when({ waiting: 100 })
    expect(recovered).toEqual([])
    await when({ waiting: 90 })
    await when({ waiting: 0 })
    expect(recovered).toEqual([new Date(1_000)])
  })

  test('is told when the queue keeps a delivery again', () => {
    const { room, recovered } = make()
    room.turnedDown(new Error('OOM'))
    expect(room.condition()).toEqual({ is: 'away', reason: 'OOM' })
    room.kept(1)
    expect([room.condition().is, recovered]).toEqual(['free', [new Date(1_000)]])
    room.kept(1)
    expect(recovered).toHaveLength(1)
  })

  test('is not told while the store is away or full', async () => {
    const { room, when, recovered } = make()
    room.turnedDown(new Error('ECONNREFUSED'))
    await when({ isAway: true })
    await when({ isAway: false, waiting: 100 })
    expect(recovered).toEqual([])
  })

  test('is not told when none were', async () => {
    const { room, when, recovered } = make()
    await when({ waiting: 100 })
    await when({ waiting: 0 })
    room.kept(1)
    expect(recovered).toEqual([])
  })

  test('it is over with the first delivery that is kept, where only memory was short for a moment', () => {
    const { room, recovered } = make()
    room.turnedDown()
    expect(recovered).toEqual([])
    room.kept(1)
    room.kept(1)
    expect(recovered).toEqual([new Date(1_000)])
  })
})
