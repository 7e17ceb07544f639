// What a decision says of each of its rules in one word: for metrics and tallies.
import type { DecisionRecord } from './types.ts'

/** `acted`: it held, and a call of it was done; `held`: it held, and nothing was done for it. */
export type RuleOutcome = 'acted' | 'held' | 'unknown' | 'false'

/** One for each judgement; an event rule has one for each event. `rule` is `<file>#<rule name>`. */
export function ruleOutcomes({ rules, answers }: DecisionRecord): { rule: string; outcome: RuleOutcome }[] {
  const acted = new Set(answers.flatMap(({ call, result }) => (result === 'done' || result === 'already' ? call.rules : [])))
  return rules.map(({ file, name, key, verdict }) => {
    const rule = `${file}#${name}`
    if (verdict !== 'true') return { rule, outcome: verdict }
    return { rule, outcome: acted.has(key) ? 'acted' : 'held' }
  })
}
