// The outcome for one past merge request or issue: matched rules, their actions, and unknown facts.
import { mergeRequestSource } from '../facts/definition/sources.ts'
import type { ActionTrace, DecideInput, Decision, RuleFileInForce, RuleTrace, Trace } from '../types.ts'
import { unknownIn } from './past-facts.ts'

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

function actionOf({
  action,
  result,
  detail,
  conditions,
}: ActionTrace): BacktestRuleOutcome['actions'][number] & { unknown: string[] } {
  const inWay = conditions === undefined ? [] : unknownLeaves(conditions)
  const unknown = result === 'call' ? [] : [...new Set([...inWay, ...unknownIn(detail)])]
  return { action, result: unknown.length > 0 ? 'unknown' : result, detail, unknown }
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
