// What a decision finds of a fact.
import type { DecideInput, SourceAnswers } from '../../src/rules/types.ts'
import { answers, decideRule } from './world.ts'

export const unsaid = 'unknown: the hosting service does not say'

/** The actual value in the trace of a rule with this condition alone. */
export const actualOf = (
  condition: string,
  fields: Record<string, unknown> = {},
  other: SourceAnswers = {},
  changes: Partial<DecideInput> = {},
) =>
  decideRule(`{ ${condition} }`, '{ subscribe: true }', { answers: answers(fields, other), ...changes }).rules[0]
    ?.conditions.actual
