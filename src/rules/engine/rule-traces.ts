// The traces of a decision: each rule's verdict with its conditions, and the outcomes of its actions.
import type { Verdict } from '../language/values/rule-types.ts'
import type { ActionTrace, DecideInput, Decision, RuleTrace } from '../types.ts'
import type { ConditionResult } from './conditions/evaluate-condition.ts'
import type { RuleEvaluation } from './conditions/rules-in-force.ts'
import type { Plan } from './plan-action.ts'

/** False → true since the last decision; an event happens each time. */
export function hasBecome({ rule, name, occurrence }: RuleEvaluation, { memory }: DecideInput): boolean {
  const before = Object.hasOwn(memory.rules, name) ? memory.rules[name] : undefined
  return occurrence !== undefined || !(before?.matched === true && before.fingerprint === rule.fingerprint)
}

export function traceOf(
  each: RuleEvaluation,
  { trace }: ConditionResult,
  actions: ActionTrace[],
  input: DecideInput,
): RuleTrace {
  const { rule, key, file, occurrence, mode } = each
  const ruleTrace: RuleTrace = {
    key,
    name: rule.name,
    file: file.path,
    line: rule.line,
    verdict: trace.verdict,
    became: trace.verdict === 'true' && hasBecome(each, input),
    fingerprint: rule.fingerprint,
    conditions: trace,
    actions,
  }
  if (occurrence !== undefined) ruleTrace.event = occurrence
  if (mode !== 'act') ruleTrace.mode = mode
  return ruleTrace
}

/** The outcomes of a rule's actions in file order, and its withdrawn actions. */
export function actionsOf(
  traces: Plan['traces'],
  withdrawn: readonly ActionTrace[],
): (evaluation: RuleEvaluation, verdict: Verdict) => { asked: ActionTrace[]; withdrawn: ActionTrace[] } {
  const byKey = new Map<string, ActionTrace[]>()
  for (const { key, trace } of traces) {
    const own = byKey.get(key)
    if (own === undefined) byKey.set(key, [trace])
    else own.push(trace)
  }
  return ({ rule, key }, verdict) => {
    const own = verdict === 'true' ? (byKey.get(key) ?? []) : []
    const asked =
      own.length === 0 ? [] : rule.actions.flatMap(({ action }) => own.filter((each) => each.action === action))
    return { asked, withdrawn: withdrawn.filter((each) => rule.actions.some(({ action }) => action === each.action)) }
  }
}

/** When the first rule may change by itself. An event rule is evaluated once, unless it has or gets a standing request. */
export function changeOf(
  rules: readonly RuleEvaluation[],
  results: readonly ConditionResult[],
): Pick<Decision, 'changesAt'> {
  let first: number | undefined
  for (const [index, { trace, changesAt }] of results.entries()) {
    if (changesAt === undefined || (first !== undefined && changesAt >= first)) continue
    const { occurrence, request } = rules[index] ?? {}
    if (occurrence === undefined || request !== undefined || trace.verdict === 'true') first = changesAt
  }
  return first === undefined ? {} : { changesAt: new Date(first).toISOString() }
}
