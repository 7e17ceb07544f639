// The outcomes of a backtest, for each merge request and in total.
import { mergeRequestSource } from '../facts/definition/sources.ts'
import type { ActionTrace, DecideInput, Decision, RuleFileInForce, RuleTrace, Trace } from '../types.ts'
import { unknownIn } from './past-facts.ts'

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

export interface BacktestRuleOutcome {
  rule: string
  file: string
  /** `waits`: the rule is for events, which are unknown. */
  verdict: RuleTrace['verdict'] | 'waits'
  /** The actions of a matched rule; `unknown` if the result depends on unknown facts. */
  actions: { action: string; result: ActionTrace['result'] | 'unknown'; detail: string }[]
  /** Unknown facts that matter. */
  unknown: string[]
}

export interface BacktestOutcome {
  iid: number
  /** The iid is that of an issue. */
  subject?: 'issue'
  title: string
  /** Its page on the service. */
  url?: string
  state: string
  /** Whether the running bot evaluated its last head; absent without a bot, or while open. */
  seen?: boolean
  /** No rule or action is unknown. */
  decided: boolean
  rules: BacktestRuleOutcome[]
}

/**
 * Rules that evaluate all of their conditions, so that false differs from unknown. Evaluation stops once a rule cannot
 * match, but not inside a `not`.
 */
export function thorough(files: readonly RuleFileInForce[]): RuleFileInForce[] {
  return files.map((file) => ({
    ...file,
    rules: { ...file.rules, rules: file.rules.rules.map((rule) => ({ ...rule, if: { not: { not: rule.if } } })) },
  }))
}

function unknownLeaves(trace: Trace): string[] {
  if (trace.verdict !== 'unknown') return []
  return trace.children === undefined ? [trace.condition] : trace.children.flatMap(unknownLeaves)
}

function actionOf({ action, result, detail, conditions }: ActionTrace) {
  const inWay = conditions === undefined ? [] : unknownLeaves(conditions)
  const unknown = result === 'call' ? [] : [...new Set([...inWay, ...unknownIn(detail)])]
  return { action, result: unknown.length > 0 ? ('unknown' as const) : result, detail, unknown }
}

function ruleOf(trace: RuleTrace, forEvents: boolean): BacktestRuleOutcome {
  const { name, file, verdict } = trace
  if (forEvents) return { rule: name, file, verdict: 'waits', actions: [], unknown: [] }
  const actions = verdict === 'true' ? trace.actions.map(actionOf) : []
  const unknown = verdict === 'unknown' ? unknownLeaves(trace.conditions) : actions.flatMap((each) => each.unknown)
  return {
    rule: name,
    file,
    verdict,
    actions: actions.map(({ unknown: _unknown, ...each }) => each),
    unknown: [...new Set(unknown)],
  }
}

/** An unreadable merge request is not decided. */
export function outcomeOf(
  mergeRequest: Pick<BacktestOutcome, 'iid' | 'subject' | 'title' | 'url' | 'state' | 'seen'>,
  decision: Decision,
  input: DecideInput,
): BacktestOutcome {
  const events = new Set(
    input.files.flatMap(({ path, rules }) =>
      rules.rules.filter(({ on }) => on !== undefined).map(({ name }) => `${path}#${name}`),
    ),
  )
  const rules = decision.rules.map((trace) => ruleOf(trace, events.has(`${trace.file}#${trace.name}`)))
  const read = input.answers[mergeRequestSource]
  const readable = read === undefined || read.ok
  return {
    ...mergeRequest,
    decided: readable && rules.every(({ unknown, verdict }) => unknown.length === 0 && verdict !== 'unknown'),
    rules,
  }
}
