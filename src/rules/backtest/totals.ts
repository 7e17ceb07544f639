// The totals of a backtest.
import type { BacktestOutcome, BacktestRuleOutcome } from './outcome.ts'

/** What rules would have decided about past merge requests. */
export interface Backtest {
  outcomes: BacktestOutcome[]
  /** How many of the requested ones exist. */
  found: number
  calls: { made: number; planned: number; most: number }
  /** Why not all were evaluated. */
  stopped?: { reason: string; failed: boolean }
}

export interface RuleTotals {
  rule: string
  file: string
  matched: number
  notMatched: number
  unknown: number
  forEvents: boolean
  /** How often each action would be done, and how often that is unknown. */
  actions: Record<string, { done: number; unknown: number }>
}

export interface Totals {
  evaluated: number
  decided: number
  /** For how many closed or merged ones the bot stored facts; absent without a bot. */
  seen?: { kept: number; not: number }
  /** Fact → number of merge requests where it matters; the most frequent first. */
  unknownFacts: Record<string, number>
  rules: RuleTotals[]
}

function totalsOf(rules: readonly BacktestRuleOutcome[]): RuleTotals {
  const count = (verdict: BacktestRuleOutcome['verdict']) => rules.filter((each) => each.verdict === verdict).length
  const actions: RuleTotals['actions'] = {}
  for (const { action, result } of rules.flatMap((each) => each.actions)) {
    const sum = actions[action] ?? { done: 0, unknown: 0 }
    actions[action] = {
      done: sum.done + Number(result === 'call'),
      unknown: sum.unknown + Number(result === 'unknown'),
    }
  }
  return {
    rule: rules[0]?.rule ?? '',
    file: rules[0]?.file ?? '',
    matched: count('true'),
    notMatched: count('false'),
    unknown: count('unknown'),
    forEvents: count('waits') > 0,
    actions,
  }
}

export function totals(outcomes: readonly BacktestOutcome[]): Totals {
  const byRule = new Map<string, BacktestRuleOutcome[]>()
  const facts = new Map<string, number>()
  for (const { rules } of outcomes) {
    for (const each of rules)
      byRule.set(`${each.file}#${each.rule}`, [...(byRule.get(`${each.file}#${each.rule}`) ?? []), each])
    for (const fact of new Set(rules.flatMap(({ unknown }) => unknown))) facts.set(fact, (facts.get(fact) ?? 0) + 1)
  }
  const asked = outcomes.flatMap(({ seen }) => seen ?? [])
  const kept = asked.filter((seen) => seen).length
  return {
    seen: asked.length === 0 ? undefined : { kept, not: asked.length - kept },
    evaluated: outcomes.length,
    decided: outcomes.filter(({ decided }) => decided).length,
    unknownFacts: Object.fromEntries([...facts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))),
    rules: [...byRule.values()].map(totalsOf),
  }
}

/** What to show of an outcome. A question mark follows the actions that depend on unknown facts. */
export function summaryOf({ rules }: BacktestOutcome): Record<'matched' | 'actions' | 'unknown', string[]> {
  const matched = rules.filter(({ verdict }) => verdict === 'true')
  const actions = matched.flatMap((each) =>
    each.actions.flatMap(({ action, result }) =>
      result === 'call' ? [action] : result === 'unknown' ? [`${action}?`] : [],
    ),
  )
  return {
    matched: matched.map(({ rule }) => rule),
    actions: [...new Set(actions)],
    unknown: [...new Set(rules.flatMap(({ unknown }) => unknown))],
  }
}

/** The outcomes in which a rule matched or might match. */
export const relevant = (outcomes: readonly BacktestOutcome[]) =>
  outcomes.filter(({ rules }) => rules.some(({ verdict, unknown }) => verdict === 'true' || unknown.length > 0))

/** `label 2, label 1?, todo 1` */
export function actionCounts({ actions }: RuleTotals): string {
  const parts = Object.entries(actions).flatMap(([action, { done, unknown }]) => [
    ...(done === 0 ? [] : [`${action} ${done}`]),
    ...(unknown === 0 ? [] : [`${action} ${unknown}?`]),
  ])
  return parts.join(', ')
}
