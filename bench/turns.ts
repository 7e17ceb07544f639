// Measures two sides in turns: whatever else the machine does meets both alike.
import { type Row, rowOf } from './row.ts'

export interface Count {
  done: number
  seconds: number
}
/** Works for a short while, and says how much was done in it. */
export type Side = () => Promise<Count> | Count

export interface Turns {
  rounds: number
  /** A round measures each side in so many turns. */
  turnsPerRound: number
}

/** How often a second each side is done; a round that does not count comes first. */
export async function ratesInTurns(
  named: Pick<Row, 'name' | 'what' | 'beside' | 'aim'>,
  [side, beside]: readonly [Side, Side],
  { rounds, turnsPerRound }: Turns,
): Promise<Row> {
  const measured: [number, number][] = []
  for (let round = 0; round <= rounds; round += 1) {
    const sums = [side, beside].map((work) => ({ work, done: 0, seconds: 0 }))
    for (let turn = 0; turn < turnsPerRound; turn += 1) {
      for (const sum of sums) {
        const { done, seconds } = await sum.work()
        sum.done += done
        sum.seconds += seconds
      }
    }
    const [one = Number.NaN, other = Number.NaN] = sums.map(({ done, seconds }) => done / seconds)
    if (round > 0) measured.push([one, other])
  }
  return rowOf({ ...named, unit: '/s' }, measured)
}

/** Work in this process, again and again for so many milliseconds; waited for only where it takes its time. */
export function again(work: () => unknown, forMs: number): Side {
  return async () => {
    const start = performance.now()
    let done = 0
    let ms = 0
    do {
      const working = work()
      if (working instanceof Promise) await working
      done += 1
      ms = performance.now() - start
    } while (ms < forMs)
    return { done, seconds: ms / 1000 }
  }
}
