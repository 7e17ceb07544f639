// A merge request, and what was read of it.
import { mergeRequestSource } from '../../rules/facts/definition/sources.ts'
import type { DecideInput } from '../../rules/types.ts'

export type AnswersOf = Pick<DecideInput, 'mergeRequest' | 'answers'>

/** The merge request as read; empty if it was not. */
export function mergeRequestIn({ answers }: Pick<DecideInput, 'answers'>): Record<string, unknown> {
  const answer = answers[mergeRequestSource]
  return answer?.ok === true && typeof answer.body === 'object' && answer.body !== null ? { ...answer.body } : {}
}
