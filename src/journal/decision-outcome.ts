// What came of a decision as a whole, in one word: what decisions are found by.
import type { Answer, Decision } from '../rules/types.ts'

/**
 * `failed`: the service refused a call of it, or nobody knows whether one was done; `acted`: a call was done (or was so already), whatever else waits;
 * `blocked`: nothing was done, though a rule that holds asks for something, which is held back or waits; `nothing`: there was nothing to do.
 */
export const decisionOutcomes = ['acted', 'nothing', 'blocked', 'failed'] as const
export type DecisionOutcome = (typeof decisionOutcomes)[number]

export function outcomeOf({ rules, answers, paused }: Pick<Decision, 'rules' | 'answers' | 'paused'>): DecisionOutcome {
  const came = (...results: Answer['result'][]) => answers.some(({ result }) => results.includes(result))
  if (came('refused', 'ambiguous')) return 'failed'
  if (came('done', 'already')) return 'acted'
  const asks = rules.flatMap(({ verdict, actions }) => (verdict === 'true' ? actions : []))
  const isHeld = asks.some(({ result, supposed }) => supposed !== true && (result === 'held back' || result === 'waits'))
  return paused !== undefined || isHeld || came('moved', 'not now') ? 'blocked' : 'nothing'
}
