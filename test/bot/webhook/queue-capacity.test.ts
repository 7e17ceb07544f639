// Backpressure by the state of the queue: when /readyz fails, when deliveries are refused, and when accepted again.

import { pino } from 'pino'
import { logCondition } from '../../../src/bot/receiver.ts'
import { type CapacityCondition, createQueueCapacity } from '../../../src/bot/webhook/queue-capacity.ts'
import type { StoreSpace } from '../../../src/queue/types.ts'

function make() {
  const store = { space: {} as StoreSpace, waiting: 0, bytes: 0, isUnreachable: false, measurements: 0 }
  const conditions: CapacityCondition[] = []
  const recovered: Date[] = []
  let now = 1_000
  const capacity = createQueueCapacity({
    backend: {
      space: async () => {
        if (store.isUnreachable) throw new Error('away')
        return store.space
      },
    },
    deliveries: {
      backlog: async () => {
        store.measurements += 1
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
    await capacity.measure()
    return capacity.condition().is
  }
  return { capacity, when, conditions, recovered, store }
}

describe('the condition of the queue', () => {
  test.each<[string, (used: number) => object]>([
    ['waiting deliveries', (used) => ({ waiting: used })],
    ['the bytes of waiting deliveries', (used) => ({ waiting: 1, bytes: used * 1_000_000 })],
    [
      'Redis’ memory, of the part that may be used',
      (used) => ({ space: { memory: { used: used * 5, limit: 1_000 } } }),
    ],
    ['the disk', (used) => ({ space: { freeDisk: Math.ceil(100_000 / Math.max(used, 1)) } })],
  ])('depends on %s: low from 80 %%, full at the limit', async (_name, at) => {
    const { when } = make()
    const found: string[] = []
    for (const used of [0, 79, 80, 99, 100]) found.push(await when(at(used)))
    expect(found).toEqual(['available', 'available', 'low', 'low', 'full'])
  })

  test('names what is nearest to its limit', async () => {
    const { capacity, when } = make()
    await when({ waiting: 85, space: { memory: { used: 499, limit: 1_000 }, freeDisk: 10_000 } })
    expect(capacity.condition()).toEqual({ is: 'low', reason: 'Redis uses 49 % of its memory.' })
  })

  test('is given in megabytes where bytes are the limit', async () => {
    const { capacity, when } = make()
    await when({ waiting: 4, bytes: 90_000_000 })
    expect(capacity.condition()).toEqual({ is: 'low', reason: '85 MB of deliveries wait for intake.' })
  })

  test.each([
    ['bytes', 3_000_000, 2],
    ['deliveries', 10, 5],
  ])('is measured early once a twentieth of the %s was accepted', async (_what, bytes, deliveries) => {
    const { capacity, store } = make()
    for (let n = 1; n < deliveries; n += 1) capacity.accepted(bytes)
    expect(store.measurements).toBe(0)
    Object.assign(store, { waiting: 100 })
    capacity.accepted(bytes)
    await expect.poll(() => capacity.condition().is).toBe('full')
    capacity.accepted(bytes)
    expect(store.measurements).toBe(1)
  })

  test('a queue that does not answer is unreachable', async () => {
    const { when, conditions } = make()
    for (const isUnreachable of [true, false])
      expect(await when({ isUnreachable })).toBe(isUnreachable ? 'unreachable' : 'available')
    expect(conditions.map(({ is }) => is)).toEqual(['unreachable', 'available'])
  })
})

describe('the end of refusals', () => {
  test('is reported once, with the time of the first, when there is capacity again', async () => {
    const { capacity, when, recovered } = make()
    await when({ waiting: 100 })
    capacity.refused()
    capacity.refused()
    await when({ waiting: 100 })
    expect(recovered).toEqual([])
    await when({ waiting: 90 })
    await when({ waiting: 0 })
    expect(recovered).toEqual([new Date(1_000)])
  })

  test('is reported when the queue accepts a delivery again', () => {
    const { capacity, recovered } = make()
    capacity.refused(new Error('OOM'))
    expect(capacity.condition()).toEqual({ is: 'unreachable', reason: 'OOM' })
    capacity.accepted(1)
    expect([capacity.condition().is, recovered]).toEqual(['available', [new Date(1_000)]])
    capacity.accepted(1)
    expect(recovered).toHaveLength(1)
  })

  test('is not reported while the queue is unreachable or full', async () => {
    const { capacity, when, recovered } = make()
    capacity.refused(new Error('ECONNREFUSED'))
    await when({ isUnreachable: true })
    await when({ isUnreachable: false, waiting: 100 })
    expect(recovered).toEqual([])
  })

  test('is not reported when nothing was refused', async () => {
    const { capacity, when, recovered } = make()
    await when({ waiting: 100 })
    await when({ waiting: 0 })
    capacity.accepted(1)
    expect(recovered).toEqual([])
  })

  test('comes with the first accepted delivery where only memory for bodies was short', () => {
    const { capacity, recovered } = make()
    capacity.refused()
    expect(recovered).toEqual([])
    capacity.accepted(1)
    capacity.accepted(1)
    expect(recovered).toEqual([new Date(1_000)])
  })
})

describe('measurements', () => {
  afterEach(() => void vi.useRealTimers())

  test('come every 5 s while deliveries arrive or the queue is not available, else every 30 s', async () => {
    vi.useFakeTimers()
    const { capacity, store } = make()
    const during = async (ms: number) => {
      const before = store.measurements
      await vi.advanceTimersByTimeAsync(ms)
      return store.measurements - before
    }
    capacity.start()
    expect(await during(60_000)).toBe(2)
    capacity.accepted(1)
    expect(await during(5_000)).toBe(1)
    expect(await during(25_000)).toBe(0)
    store.waiting = 90
    expect(await during(20_000)).toBe(1 + 3)
    await capacity.stop()
  })
})

test.each([
  ['available', 30, 'capacity_available', 'deliveries are accepted'],
  ['low', 40, 'capacity_low', 'a limit is near; deliveries are still accepted'],
  ['full', 40, 'capacity_exhausted', 'a limit is reached; deliveries are refused'],
  ['unreachable', 40, 'queue_unreachable', 'the queue does not answer; deliveries are refused until it does'],
] as const)('a queue that is %s is logged at level %i as %s', (is, level, event, msg) => {
  const written: string[] = []
  logCondition(pino({ base: null, timestamp: false }, { write: (line) => written.push(line) }), { is, reason: 'why' })
  expect(written.map((line) => JSON.parse(line))).toEqual([{ level, event, is, reason: 'why', msg }])
})
