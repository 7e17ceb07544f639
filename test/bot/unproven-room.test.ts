// Room for bodies of which nobody knows yet whose they are: nobody keeps others out for long.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createUnprovenRoom, type PutOut } from '../../src/bot/unproven-room.ts'

const LONG = 60_000

function make(limit = 10, withinMs = LONG) {
  const room = createUnprovenRoom({ limit, withinMs })
  const out: string[] = []
  const enter = (name: string) => room.enter((why: PutOut) => out.push(`${name}: ${why}`))
  return { enter, out }
}

test('who is there longest makes room for the next', () => {
  const { enter, out } = make()
  const [old, young, next] = [enter('old'), enter('young'), enter('next')]
  young.grow(4)
  old.grow(6)
  expect(out).toEqual([])
  next.grow(1)
  expect(out).toEqual(['old: crowded'])
  next.grow(5)
  expect(out).toEqual(['old: crowded'])
})

test('who holds nothing and waits for it takes nothing', () => {
  const { enter, out } = make()
  for (let n = 0; n < 1_000; n += 1) enter(`${n}`)
  const real = enter('real')
  real.grow(10)
  real.prove()
  expect(out).toEqual([])
})

test('who wants more than there is goes', () => {
  const { enter, out } = make()
  const greedy = enter('greedy')
  greedy.grow(11)
  expect(out).toEqual(['greedy: crowded'])
  greedy.grow(100)
  enter('next').grow(10)
  expect(out).toEqual(['greedy: crowded'])
})

test('who is proven stays, and the others have what is left', () => {
  const { enter, out } = make()
  const proven = enter('proven')
  proven.grow(8)
  proven.prove()
  enter('next').grow(3)
  expect(out).toEqual(['next: crowded'])
  proven.leave()
  proven.leave()
  enter('last').grow(10)
  expect(out).toEqual(['next: crowded'])
})

test('who is not through in time goes, and who is proven or left does not', async () => {
  const { enter, out } = make(10, 5)
  enter('proven').prove()
  enter('left').leave()
  enter('slow')
  await expect.poll(() => out).toEqual(['slow: late'])
})

test('whatever comes, no more than the room is held', () => {
  const acts = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom('enter', 'grow', 'prove', 'leave'), fc.integer({ min: 0, max: 12 })),
  )
  fc.assert(
    fc.property(acts, (list) => {
      const room = createUnprovenRoom({ limit: 10, withinMs: LONG })
      const places = new Map<number, { held: number; isProven: boolean; place: ReturnType<typeof room.enter> }>()
      for (const [who, act, bytes] of list) {
        const one = places.get(who)
        if (act === 'enter' && one === undefined) {
          places.set(who, { held: 0, isProven: false, place: room.enter(() => void places.delete(who)) })
        } else if (act === 'grow' && one?.isProven === false) {
          one.held += bytes
          one.place.grow(bytes)
        } else if (act === 'prove' && one !== undefined) {
          one.isProven = true
          one.place.prove()
        } else if (act === 'leave' && one !== undefined) {
          one.place.leave()
          places.delete(who)
        }
        expect([...places.values()].reduce((sum, { held }) => sum + held, 0)).toBeLessThanOrEqual(10)
      }
      for (const { place } of places.values()) place.leave()
    }),
  )
})
