// Limits the pattern matching of each project's own rules within a minute, so that one project does not slow the others.
import { createPatternWork, MOST_STEPS, type PatternWork } from '../../rules/language/patterns/pattern-budget.ts'
import { patternSlices } from './pattern-slices.ts'

export const MOST_STEPS_A_MINUTE = 10 * MOST_STEPS
const WINDOW_MS = 60_000

export interface PatternAllowance {
  /** Evaluates with what is left of the project's allowance, and deducts what that used. */
  within<T>(project: number, evaluate: (work: PatternWork) => Promise<T>): Promise<T>
}

/** Counts per process. */
export function createPatternAllowance(now: () => number): PatternAllowance {
  const recent = new Map<number, { since: number; taken: number }>()

  function of(project: number): { since: number; taken: number } {
    const at = now()
    // A clock set back starts a new minute.
    const isOver = ({ since }: { since: number }) => at < since || at - since >= WINDOW_MS
    const known = recent.get(project)
    if (known !== undefined && !isOver(known)) return known
    for (const [each, window] of recent) if (isOver(window)) recent.delete(each)
    const fresh = { since: at, taken: 0 }
    recent.set(project, fresh)
    return fresh
  }

  return {
    async within(project, evaluate) {
      const left = Math.max(0, MOST_STEPS_A_MINUTE - of(project).taken)
      const work = workOf(Math.min(MOST_STEPS, left))
      try {
        return await evaluate(work)
      } finally {
        of(project).taken += work.taken
      }
    },
  }
}

/** For an operator's evaluation, which has no allowance. */
export const freeWork = (): PatternWork => workOf(MOST_STEPS)

const workOf = (repositorySteps: number) => createPatternWork({ repositorySteps, spend: patternSlices.spend })
