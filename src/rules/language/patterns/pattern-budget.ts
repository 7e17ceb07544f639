// Limits pattern matching: the steps that the patterns of one evaluation may take.
import type { Json, Trust, Verdict } from '../values/rule-types.ts'
import type { MatchGroups, Pattern } from './patterns.ts'

/** The operator's rules and the repository's with included files each have this budget. It takes some 30 ms. */
export const MOST_STEPS = 1_200_000

/** The steps that the operator's or the repository's rules may take in one evaluation. */
export interface StepBudget {
  /** Takes the steps of a test; unknown once none are left. One condition tests the same value once. */
  verdict<A extends { value: Json }>(
    condition: { test(actual: A): Verdict },
    matcher: { steps(value: Json): number },
    actual: A,
  ): Verdict
  readonly taken: number
  readonly isExceeded: boolean
}

/** The pattern matching of one evaluation. */
export interface PatternBudgets extends Record<Trust, StepBudget> {
  readonly groups: GroupReader
}

/** The named groups of an expression in a text, each read once. The steps of the earlier match cover them. */
export type GroupReader = (pattern: Pattern, text: string) => MatchGroups | undefined

export const createPatternBudgets = (): PatternBudgets => ({
  operator: createStepBudget(MOST_STEPS),
  repository: createStepBudget(MOST_STEPS),
  groups: createGroupReader(),
})

export function createGroupReader(): GroupReader {
  const read = new Map<Pattern, Map<string, MatchGroups | undefined>>()
  return (pattern, text) => {
    const known = read.get(pattern) ?? new Map<string, MatchGroups | undefined>()
    read.set(pattern, known)
    if (!known.has(text)) known.set(text, pattern.groups?.(text))
    return known.get(text)
  }
}

export function createStepBudget(most: number): StepBudget {
  // By value first: many conditions test few values.
  const tested = new Map<Json, Map<object, Verdict>>()
  let taken = 0
  return {
    verdict(condition, matcher, actual) {
      const known = tested.get(actual.value) ?? new Map<object, Verdict>()
      const before = known.get(condition)
      if (before !== undefined) return before
      if (taken <= most) taken += matcher.steps(actual.value)
      if (taken > most) return 'unknown'
      const found = condition.test(actual)
      if (known.size === 0) tested.set(actual.value, known)
      known.set(condition, found)
      return found
    },
    get taken() {
      return taken
    },
    get isExceeded() {
      return taken > most
    },
  }
}
