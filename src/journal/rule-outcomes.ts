// The outcome of each rule of a decision, for metrics and tallies.
import type { DecisionRecord } from './record-types.ts'

/** `acted`: matched, and a call was made; `matched`: matched, and there was nothing to do. */
type RuleOutcome = 'acted' | 'matched' | 'unknown' | 'false'

/** An event rule has one for each event. `rule` is `<file>#<rule name>`. */
export function ruleOutcomes({ rules, responses }: DecisionRecord): { rule: string; outcome: RuleOutcome }[] {
  const acted = new Set(
    responses.flatMap(({ call, result }) => (result === 'done' || result === 'already' ? call.rules : [])),
  )
  return rules.map(({ file, name, key, verdict }) => {
    const rule = `${file}#${name}`
    if (verdict !== 'true') return { rule, outcome: verdict }
    return { rule, outcome: acted.has(key) ? 'acted' : 'matched' }
  })
}
