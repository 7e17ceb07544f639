// Matching patterns takes turns with everything else that the process does: between two turns it answers requests, whoever's rules are evaluated.
import { PatternPause } from '../rules/pattern-work.ts'

export interface PatternTurns {
  /** Throws PatternPause where this turn has no more steps left; a match that is larger than a turn has one for itself. */
  spend(steps: number): void
  /** Runs it again after each pause, in a turn of its own. What it throws otherwise is thrown. */
  run<T>(work: () => T): Promise<T>
}

/** A quarter of the largest match: most turns are shorter than the longest that there may be. */
const STEPS_OF_TURN = 250_000

/** All work that shares it has `most` steps in a turn; after it the process is free for twice as long as the turn took. */
export function createPatternTurns(most = STEPS_OF_TURN): PatternTurns {
  let spent = 0
  let isOpen = false
  const waiting: (() => void)[] = []

  function open(): void {
    if (isOpen) return
    isOpen = true
    const started = performance.now()
    // What a request needs takes several looks at the sockets: one between two turns would let it wait for many of them.
    setImmediate(() => setTimeout(close, Math.ceil(2 * (performance.now() - started))))
  }
  function close(): void {
    spent = 0
    isOpen = false
    const next = waiting.shift()
    if (next === undefined) return
    open()
    next()
  }

  return {
    spend(steps) {
      if (spent > 0 && spent + steps > most) throw new PatternPause()
      spent += steps
      open()
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
          open()
        })
      }
    },
  }
}

/** The process's own: whatever it evaluates, for whichever service, shares one event loop. */
export const patternTurns = createPatternTurns()
