// How much matching one decision may take: a budget in steps, the same for the same input; and turns, so that nothing else in the process waits for it.
import type { TextsInAll } from './patterns.ts'
import type { Json, Verdict } from './rule-file-types.ts'

/** For the rules of the operator, and as many for those of the repository with what they include. */
export const MOST_STEPS = 20_000_000

/** Ends a decision that is to be made again, when something else had its turn: what was matched until then is kept. */
export class PatternPause extends Error {
  override name = 'PatternPause'
}

/** What is known about a list, which belongs to one reading of one merge request. */
export interface KnownList {
  /** All of an ordinary list in one. */
  text: string | undefined
  /** An ordinary list in order, as soon as something is looked up in it. */
  inOrder?: readonly string[]
  /** Item → for each place in the list, as far as it was asked. */
  answers: Map<string, (Verdict | undefined)[]>
  /** Item → what matching the whole list takes. */
  steps: Map<string, number>
  /** Question → its answer, as soon as it is settled. */
  settled: Map<object, Verdict>
  texts: TextsInAll
}

/** The matching of one evaluation, which may decide several times. */
export interface PatternWork {
  /** What the rules of the repository may take in one decision. */
  readonly repositorySteps: number
  /** The most that they took in one decision. */
  taken: number
  /** Told before each match. Throws PatternPause where something else must have its turn first. */
  spend(steps: number): void
  /** What was matched: pattern → text → answer. */
  readonly texts: Map<object, Map<string, boolean>>
  /** Questions about lists whose plain globs were spent for. */
  readonly asked: Set<object>
  /** Lists stay known from one turn to the next. */
  readonly lists: Map<readonly Json[], KnownList>
}

export function createPatternWork(given: Pick<PatternWork, 'repositorySteps' | 'spend'>): PatternWork {
  return { ...given, taken: 0, texts: new Map(), asked: new Set(), lists: new Map() }
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
