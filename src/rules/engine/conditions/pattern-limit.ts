// The trace of rules that are unknown because their patterns exceed the matching budget.

import { MOST_STEPS, type StepBudget } from '../../language/patterns/pattern-budget.ts'
import type { Decision } from '../../types.ts'
import type { ConditionResult } from './evaluate-condition.ts'

const CONDITION = 'pattern matching'

const grouped = (steps: number) => Math.ceil(steps).toLocaleString('en-US')

/** The trace of each rule whose budget is exceeded; undefined otherwise. Reading more sources would not help. */
export function patternLimit({ isExceeded, taken }: StepBudget): ConditionResult | undefined {
  if (!isExceeded) return undefined
  return {
    trace: {
      condition: CONDITION,
      verdict: 'unknown',
      expected: `at most ${grouped(MOST_STEPS)} steps for the patterns of all rules together`,
      actual: `more: ${grouped(taken)} were reached before all rules were evaluated`,
      toFix: 'fewer or smaller patterns, above all with smaller repetition counts, and shorter texts',
    },
    needs: [],
  }
}

/** Why patterns made rules of the decision unknown; undefined if they did not. */
export function patternLimitIn({ rules }: Pick<Decision, 'rules'>): string | undefined {
  const limited = rules.find(({ conditions }) => conditions.condition === CONDITION)
  return limited === undefined ? undefined : `Matching their patterns takes ${limited.conditions.actual}.`
}
