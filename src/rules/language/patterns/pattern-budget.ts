// Limits what matching one decision may take: a budget in steps, and pauses so that other work in the process can run.

import type { Json, Verdict } from '../values/rule-types.ts'

/** For the rules of the operator, and as many for those of the repository with what they include. */
export const MOST_STEPS = 20_000_000

/** Interrupts a decision, which starts again after other work has run. Earlier matches are kept. */
export class PatternPause extends Error {
  override name = 'PatternPause'
}

/** The matching of one evaluation, which may decide several times: after each pause it decides again. */
export interface PatternWork {
  /** What the rules of the repository may take in one decision. */
  readonly repositorySteps: number
  /** The most that they took in one decision. */
  taken: number
  /** Called before each match. Throws PatternPause where other work must run first. */
  spend(steps: number): void
  /** The same, but not again after a pause: otherwise the work before a pause could take all of each turn. */
  spendOnce(question: object, steps: number): void
  /** Pattern or question → text or list → answer, kept from one turn to the next. */
  readonly answers: ReadonlyMap<object, ReadonlyMap<Json, Verdict>>
  /** Keeps an answer, and returns it. */
  remember(question: object, value: Json, answer: Verdict): Verdict
}

export function createPatternWork({
  repositorySteps,
  spend,
}: Pick<PatternWork, 'repositorySteps' | 'spend'>): PatternWork {
  const answers = new Map<object, Map<Json, Verdict>>()
  const spent = new Set<object>()
  return {
    repositorySteps,
    taken: 0,
    spend,
    spendOnce(question, steps) {
      if (spent.has(question)) return
      spend(steps)
      spent.add(question)
    },
    answers,
    remember(question, value, answer) {
      const known = answers.get(question) ?? new Map<Json, Verdict>()
      answers.set(question, known.set(value, answer))
      return answer
    },
  }
}

/** What the rules of one side, the operator or the repository, may take in one decision. */
export interface StepBudget {
  readonly most: number
  /** False, and from then on, where no more is left. The same condition on the same value is charged once. */
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
