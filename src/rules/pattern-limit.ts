// What is said of rules that are unknown because matching their patterns would take more than it may.
import type { Judged } from './judge.ts'
import { MOST_STEPS, type StepBudget } from './pattern-work.ts'
import type { Decision } from './types.ts'

const CONDITION = 'pattern matching'

const grouped = (steps: number) => Math.ceil(steps).toLocaleString('en-US')

const MINUTE_MS = 60_000

/** When to evaluate again where only what other merge requests of the project took stands in the way: when they no longer count. */
export function limitEndsInMs({ isExceeded, most }: StepBudget): number[] {
  return isExceeded && most < MOST_STEPS ? [MINUTE_MS] : []
}

/** The trace of each rule of a side whose budget is exceeded; undefined where it is not. Reading more would not help. */
export function patternLimit({ isExceeded, most, taken }: StepBudget): Judged | undefined {
  if (!isExceeded) return undefined
  const actual =
    most < MOST_STEPS
      ? `more than the ${grouped(most)} that are left to this project for the next minute`
      : `more: ${grouped(taken)} were reached before all rules were evaluated`
  return {
    trace: {
      condition: CONDITION,
      verdict: 'unknown',
      wanted: `at most ${grouped(MOST_STEPS)} steps for the patterns of all rules together`,
      actual,
      unblock: 'fewer or smaller patterns, above all with smaller repetition counts, and shorter texts',
    },
    needs: [],
  }
}

/** Why rules of the decision are unknown for their patterns; undefined where none is. */
export function patternLimitIn({ rules }: Pick<Decision, 'rules'>): string | undefined {
  const limited = rules.find(({ conditions }) => conditions.condition === CONDITION)
  return limited === undefined ? undefined : `Matching their patterns takes ${limited.conditions.actual}.`
}
