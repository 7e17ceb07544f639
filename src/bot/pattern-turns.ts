// Matching patterns takes turns with everything else that the process does: between two turns it answers requests, whoever's rules are evaluated.
import { PatternPause } from '../rules/pattern-work.ts'

export interface PatternTurns {
  /** Throws PatternPause where this turn has no more steps left; a match that is larger than a turn has one for itself. */
  spend(steps: number): void
  /** Runs it again after each pause, in a turn of its own. What it throws otherwise is thrown. */
  run<T>(work: () => T): Promise<T>
}

/** Half of the largest match: most turns are shorter than the longest that there may be. */
const STEPS_OF_TURN = 500_000

/** All work that shares it has `most` steps between two looks at the process's sockets. */
export function createPatternTurns(most = STEPS_OF_TURN): PatternTurns {
  let spent = 0
  let isTurnOver = false
  const waiting: (() => void)[] = []

  // Immediates that wait are all run before the sockets are looked at: there is never more than one, and it wakes one.
  function endTurn(): void {
    spent = 0
    isTurnOver = false
    const next = waiting.shift()
    if (next === undefined) return
    endLater()
    next()
  }
  function endLater(): void {
    if (isTurnOver) return
    isTurnOver = true
    setImmediate(endTurn)
  }

  return {
    spend(steps) {
      if (spent > 0 && spent + steps > most) throw new PatternPause()
      spent += steps
      endLater()
    },
    async run(work) {
      for (;;) {
        try {
          return work()
        } catch (error) {
          if (!(error instanceof PatternPause)) throw error
        }
        await new Promise<void>((resolve) => {
          waiting.push(resolve)
          endLater()
        })
      }
    },
  }
}

/** The process's own: whatever it evaluates, for whichever service, shares one event loop. */
export const patternTurns = createPatternTurns()
