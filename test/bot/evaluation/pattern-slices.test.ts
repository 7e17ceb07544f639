// Pattern matching in slices: between two slices the event loop is free, however much there is to match.
import { describe, expect, it } from 'vitest'
import { createPatternSlices } from '../../../src/bot/evaluation/pattern-slices.ts'

/** Matches of `each` steps, which continue after a pause. */
function matches(count: number, each: number, spend: (steps: number) => void, tell: () => void) {
  let done = 0
  return () => {
    for (; done < count; done += 1) {
      spend(each)
      tell()
    }
    return done
  }
}

/** The turns of the event loop until the work ended. */
async function looksDuring(work: Promise<unknown>): Promise<number> {
  let [looks, isOver] = [0, false]
  void work.then(() => {
    isOver = true
  })
  while (!isOver) {
    await new Promise((resolve) => setImmediate(resolve))
    looks += 1
  }
  return looks
}

describe('slices', () => {
  it('hold no more than their steps over all callers', async () => {
    const turns = createPatternSlices(100)
    const perTurn: number[] = []
    let inTurn = 0
    const count = () => {
      inTurn += 1
      if (inTurn === 1)
        setImmediate(() => {
          perTurn.push(inTurn)
          inTurn = 0
        })
    }
    const all = [1, 2, 3].map(() => turns.run(matches(20, 30, turns.spend, count)))
    const looks = await looksDuring(Promise.all(all))
    expect(await Promise.all(all)).toEqual([20, 20, 20])
    expect(Math.max(...perTurn)).toBeLessThanOrEqual(6)
    expect(looks).toBeGreaterThanOrEqual(38)
  })
  it('are given in the order of the calls', async () => {
    const turns = createPatternSlices(10)
    const order: string[] = []
    const named = (name: string) => turns.run(matches(3, 10, turns.spend, () => order.push(name)))
    await Promise.all([named('a'), named('b')])
    expect(order).toEqual(['a', 'a', 'b', 'a', 'b', 'b'])
  })
  it('give a larger match a slice of its own', async () => {
    const turns = createPatternSlices(10)
    expect(await turns.run(matches(2, 1000, turns.spend, () => {}))).toBe(2)
  })
  it('pass other errors on', async () => {
    const turns = createPatternSlices(10)
    const fails = () => {
      throw new Error('no such fact')
    }
    await expect(turns.run(fails)).rejects.toThrow('no such fact')
  })
})
