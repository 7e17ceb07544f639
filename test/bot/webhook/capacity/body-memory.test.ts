// The memory for request bodies: authenticated bodies wait for it, unverified ones make way for the next.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bytesPerUnit, createBodyMemory, type ReleaseMemory } from '../../../../src/bot/webhook/capacity/body-memory.ts'

const LONG = 60_000

describe('authenticated bodies', () => {
  const make = (waitMs = LONG) => createBodyMemory({ authenticated: 10 * bytesPerUnit, unverified: 10, waitMs })
  async function reserved(reservation: Promise<ReleaseMemory | undefined>): Promise<ReleaseMemory> {
    const release = await reservation
    if (release === undefined) throw new Error('no memory was free in time')
    return release
  }

  test('wait until memory is free, first come, first served', async () => {
    const memory = make()
    const release = await reserved(memory.reserve(6 * bytesPerUnit))
    const order: string[] = []
    const large = reserved(memory.reserve(6 * bytesPerUnit)).then(() => order.push('large'))
    const small = reserved(memory.reserve(1 * bytesPerUnit)).then(() => order.push('small'))
    release()
    await Promise.all([large, small])
    expect(order).toEqual(['large', 'small'])
  })

  test('get nothing after the time limit, and hold nothing then', async () => {
    const memory = make(20)
    const release = await reserved(memory.reserve(6 * bytesPerUnit))
    expect(await memory.reserve(6 * bytesPerUnit)).toBeUndefined()
    release()
    await reserved(memory.reserve(10 * bytesPerUnit))
  })

  test('free their memory once, though they release it twice', async () => {
    const memory = make(20)
    const release = await reserved(memory.reserve(5 * bytesPerUnit))
    await reserved(memory.reserve(5 * bytesPerUnit))
    release()
    release()
    await reserved(memory.reserve(5 * bytesPerUnit))
    expect(await memory.reserve(1 * bytesPerUnit)).toBeUndefined()
  })

  // The semaphore walks through its free units at each release: with one unit per byte this test would take an hour.
  test('reserve and release thousands of times under the limits in use', async () => {
    const memory = createBodyMemory()
    for (let n = 0; n < 10_000; n += 1) {
      const release = await reserved(memory.reserve(n))
      release()
    }
  })

  test('take no memory from unverified bodies, nor lose any to them', async () => {
    const memory = make()
    const evicted: string[] = []
    await reserved(memory.reserve(10 * bytesPerUnit))
    memory.addUnverified(() => evicted.push('one')).grow(10)
    expect(evicted).toEqual([])
  })

  test('never hold more than the limit, and all get their turn', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 10 }), { maxLength: 50 }), async (sizes) => {
        const memory = make()
        let held = 0
        let most = 0
        await Promise.all(
          sizes.map(async (size) => {
            const release = await reserved(memory.reserve(size * bytesPerUnit))
            held += size
            most = Math.max(most, held)
            await new Promise(setImmediate)
            held -= size
            release()
          }),
        )
        expect(most).toBeLessThanOrEqual(10)
      }),
      { numRuns: 50 },
    )
  })
})

describe('unverified bodies', () => {
  function make() {
    const memory = createBodyMemory({ authenticated: 10, unverified: 10, waitMs: LONG })
    const evicted: string[] = []
    return { add: (name: string) => memory.addUnverified(() => evicted.push(name)), evicted }
  }

  test('evict the oldest', () => {
    const { add, evicted } = make()
    const [old, young, next] = [add('old'), add('young'), add('next')]
    young.grow(4)
    old.grow(6)
    expect(evicted).toEqual([])
    next.grow(1)
    expect(evicted).toEqual(['old'])
    next.grow(5)
    expect(evicted).toEqual(['old'])
  })

  test('take nothing before bytes arrive', () => {
    const { add, evicted } = make()
    for (let n = 0; n < 1_000; n += 1) add(`${n}`)
    const real = add('real')
    real.grow(10)
    real.verified()
    expect(evicted).toEqual([])
  })

  test('are evicted themselves when they alone exceed the limit', () => {
    const { add, evicted } = make()
    const greedy = add('greedy')
    greedy.grow(11)
    expect(evicted).toEqual(['greedy'])
    greedy.grow(100)
    add('next').grow(10)
    expect(evicted).toEqual(['greedy'])
  })

  test('stay once verified, and the others share the rest', () => {
    const { add, evicted } = make()
    const verified = add('verified')
    verified.grow(8)
    verified.verified()
    add('next').grow(3)
    expect(evicted).toEqual(['next'])
    verified.release()
    verified.release()
    add('last').grow(10)
    expect(evicted).toEqual(['next'])
  })

  test('never hold more than the limit', () => {
    const acts = fc.array(
      fc.tuple(
        fc.integer({ min: 0, max: 4 }),
        fc.constantFrom('add', 'grow', 'verify', 'release'),
        fc.integer({ min: 0, max: 12 }),
      ),
    )
    fc.assert(
      fc.property(acts, (list) => {
        const memory = createBodyMemory({ authenticated: 10, unverified: 10, waitMs: LONG })
        const bodies = new Map<
          number,
          { held: number; isVerified: boolean; body: ReturnType<typeof memory.addUnverified> }
        >()
        for (const [who, act, bytes] of list) {
          const one = bodies.get(who)
          if (act === 'add' && one === undefined) {
            bodies.set(who, { held: 0, isVerified: false, body: memory.addUnverified(() => void bodies.delete(who)) })
          } else if (act === 'grow' && one?.isVerified === false) {
            one.held += bytes
            one.body.grow(bytes)
          } else if (act === 'verify' && one !== undefined) {
            one.isVerified = true
            one.body.verified()
          } else if (act === 'release' && one !== undefined) {
            one.body.release()
            bodies.delete(who)
          }
          expect([...bodies.values()].reduce((sum, { held }) => sum + held, 0)).toBeLessThanOrEqual(10)
        }
      }),
    )
  })
})
