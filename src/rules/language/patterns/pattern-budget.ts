// Limits pattern matching: a budget of steps for each decision, and pauses so that other work in the process can run.

import type { Json, Verdict } from '../values/rule-types.ts'
import type { MatchGroups, Pattern } from './patterns.ts'

/** The operator's rules have this budget, and the repository's with its included files have another of this size. */
export const MOST_STEPS = 20_000_000

/** Interrupts a decision. It starts again after other work has run, and reuses earlier matches. */
export class PatternPause extends Error {
  override name = 'PatternPause'
}

/** The pattern matching of one evaluation. It decides again after each pause. */
export interface PatternWork {
  /** The budget of the repository's rules for one decision. */
  readonly repositorySteps: number
  /** The most steps that they took in one decision. */
  taken: number
  /** Called before each match. Throws PatternPause if other work must run first. */
  spend(steps: number): void
  /** The same, but charged only once: otherwise the steps before a pause could use up every slice. */
  spendOnce(key: object, steps: number): void
  /** Pattern → text → verdict, kept from one slice to the next. */
  readonly verdicts: ReadonlyMap<object, ReadonlyMap<Json, Verdict>>
  remember(pattern: object, value: Json, verdict: Verdict): Verdict
  readonly groups: GroupReader
}

/** The named groups of an expression in a text, each read once. The steps of the match, which was before, cover them. */
export type GroupReader = (pattern: Pattern, text: string) => MatchGroups | undefined

export function createGroupReader(): GroupReader {
  const read = new Map<Pattern, Map<string, MatchGroups | undefined>>()
  return (pattern, text) => {
    const known = read.get(pattern) ?? new Map<string, MatchGroups | undefined>()
    read.set(pattern, known)
    if (!known.has(text)) known.set(text, pattern.groups?.(text))
    return known.get(text)
  }
}

export function createPatternWork({
  repositorySteps,
  spend,
}: Pick<PatternWork, 'repositorySteps' | 'spend'>): PatternWork {
  const verdicts = new Map<object, Map<Json, Verdict>>()
  const spent = new Set<object>()
  return {
    repositorySteps,
    taken: 0,
    spend,
    spendOnce(key, steps) {
      if (spent.has(key)) return
      spend(steps)
      spent.add(key)
    },
    verdicts,
    remember(pattern, value, verdict) {
      const known = verdicts.get(pattern) ?? new Map<Json, Verdict>()
      verdicts.set(pattern, known.set(value, verdict))
      return verdict
    },
    groups: createGroupReader(),
  }
}

/** The steps that the operator's or the repository's rules may take in one decision. */
export interface StepBudget {
  readonly most: number
  /** Takes steps; false from the moment when none are left. The same condition on the same value is charged once. */
  take(condition: object, value: Json, steps: () => number): boolean
  readonly taken: number
  readonly isExceeded: boolean
}

export function createStepBudget(most: number): StepBudget {
  const charged = new Map<object, Set<Json>>()
  let taken = 0
  return {
    most,
    take(condition, value, steps) {
      if (taken > most) return false
      const before = charged.get(condition)
      if (before?.has(value) === true) return true
      if (before === undefined) charged.set(condition, new Set([value]))
      else before.add(value)
      taken += steps()
      return taken <= most
    },
    get taken() {
      return taken
    },
    get isExceeded() {
      return taken > most
    },
  }
}
