// The traces of a decision: each rule's verdict with its conditions, and the outcomes of its actions.
import type { ActionTrace, Decision, Memory, RuleTrace } from '../types.ts'
import type { ConditionResult } from './conditions/evaluate-condition.ts'
import type { RuleEvaluation } from './conditions/rules-in-force.ts'
import type { Plan } from './plan-action.ts'

/** Whether the rule turned from false to true since the last decision. An event counts each time. */
export function hasBecome({ rule, name, occurrence }: RuleEvaluation, memory: Memory): boolean {
  const before = Object.hasOwn(memory.rules, name) ? memory.rules[name] : undefined
  return occurrence !== undefined || !(before?.matched === true && before.fingerprint === rule.fingerprint)
}

export function ruleTrace(
  evaluation: RuleEvaluation,
  { trace }: ConditionResult,
  actions: ActionTrace[],
  memory: Memory,
): RuleTrace {
  const { rule, key, file, occurrence, mode } = evaluation
  const made: RuleTrace = {
    key,
    name: rule.name,
    file: file.path,
    line: rule.line,
    verdict: trace.verdict,
    became: trace.verdict === 'true' && hasBecome(evaluation, memory),
    fingerprint: rule.fingerprint,
    conditions: trace,
    actions,
  }
  if (occurrence !== undefined) made.event = occurrence
  if (mode !== 'act') made.mode = mode
  return made
}

/** The outcomes of a rule's actions in file order, and its withdrawn actions. */
export function actionTraces(
  traces: Plan['traces'],
  withdrawn: readonly ActionTrace[],
): (evaluation: RuleEvaluation) => { requested: ActionTrace[]; withdrawn: ActionTrace[] } {
  const byKey = new Map<string, ActionTrace[]>()
  for (const { key, trace } of traces) {
    const own = byKey.get(key)
    if (own === undefined) byKey.set(key, [trace])
    else own.push(trace)
  }
  return ({ rule, key }) => {
    const own = byKey.get(key) ?? []
    const requested =
      own.length === 0 ? [] : rule.actions.flatMap(({ action }) => own.filter((each) => each.action === action))
    return {
      requested,
      withdrawn: withdrawn.filter((each) => rule.actions.some(({ action }) => action === each.action)),
    }
  }
}

/**
 * When the first rule, or the plan of an action (`planned`, epoch milliseconds), may change by itself. An event rule is
 * evaluated once, unless it has or gets a standing request.
 */
export function earliestChange(
  rules: readonly RuleEvaluation[],
  results: readonly ConditionResult[],
  planned: readonly number[],
): Decision['changesAt'] {
  let first: number | undefined = planned.length === 0 ? undefined : Math.min(...planned)
  for (const [index, { trace, changesAt }] of results.entries()) {
    if (changesAt === undefined || (first !== undefined && changesAt >= first)) continue
    const { occurrence, request } = rules[index] ?? {}
    if (occurrence === undefined || request !== undefined || trace.verdict === 'true') first = changesAt
  }
  return first === undefined ? undefined : new Date(first).toISOString()
}
