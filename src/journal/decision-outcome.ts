// The outcome of a decision as a whole and the rules that matched in it, by which decisions are found.
import type { CallResponse, Decision } from '../rules/types.ts'

/**
 * `failed`: a call was refused, or its effect is unknown; `acted`: a call was made or already applied, whatever else
 * waits; `blocked`: a matched rule asks for something that is held back or waits; `nothing`: there was nothing to do.
 */
export const decisionOutcomes = ['acted', 'nothing', 'blocked', 'failed'] as const
export type DecisionOutcome = (typeof decisionOutcomes)[number]

export function outcomeOf({
  rules,
  responses,
  paused,
}: Pick<Decision, 'rules' | 'responses' | 'paused'>): DecisionOutcome {
  const came = (...results: CallResponse['result'][]) => responses.some(({ result }) => results.includes(result))
  if (came('refused', 'ambiguous')) return 'failed'
  if (came('done', 'already')) return 'acted'
  const asks = rules.flatMap(({ verdict, actions }) => (verdict === 'true' ? actions : []))
  const isHeld = asks.some(({ result, dryRun }) => dryRun !== true && (result === 'blocked' || result === 'waits'))
  return paused !== undefined || isHeld || came('moved', 'not_now', 'dropped') ? 'blocked' : 'nothing'
}

/** The names of the rules that matched, each once: an event rule is evaluated for each event. */
export function matchedRules({ rules }: Pick<Decision, 'rules'>): string[] {
  return [...new Set(rules.flatMap(({ name, verdict }) => (verdict === 'true' ? [name] : [])))]
}
