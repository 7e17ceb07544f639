// A small seeded generator of chance: the same seed gives the same numbers on every machine.
import { randomFrom } from '../src/merge-queue/simulator/random.ts'

export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number from 0 up to, not including, `below`. */
  below(below: number): number
  chance(likely: number): boolean
  pick<T>(list: readonly T[]): T
  /** One of these, by weight: `[['often', 9], ['seldom', 1]]`. */
  weighted<T>(list: readonly (readonly [T, number])[]): T
}

export function createRandom(seed: number): Random {
  const next = randomFrom(seed)
  const below = (limit: number) => Math.floor(next() * limit)
  function weighted<T>(list: readonly (readonly [T, number])[]): T {
    let left = next() * list.reduce((sum, [, weight]) => sum + weight, 0)
    for (const [each, weight] of list) {
      left -= weight
      if (left < 0) return each
    }
    return last(list)[0]
  }
  return {
    next,
    below,
    chance: (likely) => next() < likely,
    pick: (list) => list[below(list.length)] ?? last(list),
    weighted,
  }
}

function last<T>(list: readonly T[]): T {
  const found = list.at(-1)
  if (found === undefined) throw new Error('nothing to pick from')
  return found
}
