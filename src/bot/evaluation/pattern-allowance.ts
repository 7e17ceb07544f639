// Limits the pattern matching of each project's own rules per minute, so that one project does not slow the others.
import { createMinuteCounts } from '../../queue/minute-counts.ts'
import { createPatternWork, MOST_STEPS, type PatternWork } from '../../rules/language/patterns/pattern-budget.ts'
import { patternSlices } from './pattern-slices.ts'

export const MOST_STEPS_A_MINUTE = 10 * MOST_STEPS

export interface PatternAllowance {
  /** Evaluates with what is left of the project's allowance, and deducts what that used. */
  within<T>(project: number, evaluate: (work: PatternWork) => Promise<T>): Promise<T>
}

/** Counts per process. */
export function createPatternAllowance(now: () => number): PatternAllowance {
  const steps = createMinuteCounts<number>(now)
  return {
    async within(project, evaluate) {
      const left = Math.max(0, MOST_STEPS_A_MINUTE - steps(project).count)
      const work = workOf(Math.min(MOST_STEPS, left))
      try {
        return await evaluate(work)
      } finally {
        steps(project).count += work.taken
      }
    },
  }
}

/** For an operator's evaluation, which has no allowance. */
export const freeWork = (): PatternWork => workOf(MOST_STEPS)

const workOf = (repositorySteps: number) => createPatternWork({ repositorySteps, spend: patternSlices.spend })
