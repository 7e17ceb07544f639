// The sums of a backtest.
import type { Outcome, RuleOutcome } from './outcome.ts'

export interface RuleTotals {
  rule: string
  file: string
  holds: number
  doesNot: number
  unknown: number
  /** It is for events: nothing is said of it. */
  forEvents: boolean
  /** Action → how often it would have been done, and how often that is not known. */
  actions: Record<string, { done: number; unknown: number }>
}

export interface Totals {
  judged: number
  decided: number
  /** Of how many that are over the bot kept what it saw, and of how many it did not; absent where none was asked. */
  seen?: { kept: number; not: number }
  /** Fact → for how many merge requests it is not known and matters; the most frequent first. */
  unknownFacts: Record<string, number>
  rules: RuleTotals[]
}

function totalsOf(rules: readonly RuleOutcome[]): RuleTotals {
  const count = (verdict: RuleOutcome['verdict']) => rules.filter((each) => each.verdict === verdict).length
  const actions: RuleTotals['actions'] = {}
  for (const { action, result } of rules.flatMap((each) => each.actions)) {
    const sum = actions[action] ?? { done: 0, unknown: 0 }
    actions[action] = { done: sum.done + Number(result === 'call'), unknown: sum.unknown + Number(result === 'unknown') }
  }
  return {
    rule: rules[0]?.rule ?? '',
    file: rules[0]?.file ?? '',
    holds: count('true'),
    doesNot: count('false'),
    unknown: count('unknown'),
    forEvents: count('waits') > 0,
    actions,
  }
}

/** Sums by rule, in the order of the rules, and by what is not known. */
export function totals(outcomes: readonly Outcome[]): Totals {
  const byRule = new Map<string, RuleOutcome[]>()
  const facts = new Map<string, number>()
  for (const { rules } of outcomes) {
    for (const each of rules) byRule.set(`${each.file}#${each.rule}`, [...(byRule.get(`${each.file}#${each.rule}`) ?? []), each])
    for (const fact of new Set(rules.flatMap(({ unknown }) => unknown))) facts.set(fact, (facts.get(fact) ?? 0) + 1)
  }
  const asked = outcomes.flatMap(({ seen }) => seen ?? [])
  const kept = asked.filter((seen) => seen).length
  return {
    ...(asked.length === 0 ? {} : { seen: { kept, not: asked.length - kept } }),
    judged: outcomes.length,
    decided: outcomes.filter(({ decided }) => decided).length,
    unknownFacts: Object.fromEntries([...facts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))),
    rules: [...byRule.values()].map(totalsOf),
  }
}
