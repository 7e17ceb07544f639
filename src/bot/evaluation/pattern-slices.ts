// Pattern matching yields to the event loop between slices, so that the process keeps answering requests.
import { PatternPause } from '../../rules/language/patterns/pattern-budget.ts'

export interface PatternSlices {
  /** Throws PatternPause where this slice has no steps left; a match larger than a slice gets one of its own. */
  spend(steps: number): void
  /** Runs it again after each pause, in a new slice. */
  run<T>(work: () => T): Promise<T>
}

/** A quarter of the largest match. */
const STEPS_PER_SLICE = 250_000

/** `most` steps a slice; afterwards the event loop is free for twice as long as the slice took. */
export function createPatternSlices(most = STEPS_PER_SLICE): PatternSlices {
  let spent = 0
  let isOpen = false
  const waiting: (() => void)[] = []

  function open(): void {
    if (isOpen) return
    isOpen = true
    const started = performance.now()
    // A request needs several turns of the event loop: one between two slices would delay it for many of them.
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

/** Shared by all that share the event loop. */
export const patternSlices = createPatternSlices()
