// Turns the actions that matched rules request into calls in order; a restraining action goes before what it restrains.
// And the traces of a decision: each rule’s verdict with its conditions, and the outcomes of its actions.
import type { Action } from '../actions/definition/action.ts'
import { combineUpdates } from '../actions/definition/action-calls.ts'
import { actionNamed, actions } from '../actions/index.ts'
import type { ViewedInput } from '../facts/reading/fact-view.ts'
import { deniedBy } from '../language/policy.ts'
import type { ActionTrace, Call, Decision, Memory, RuleTrace } from '../types.ts'
import { isAccept } from './accept.ts'
import type { ConditionResult } from './conditions/evaluate-condition.ts'
import type { RuleEvaluation } from './conditions/rules-in-force.ts'
import { withUnmetStatus } from './limits/deferred-calls.ts'
import {
  actionTrace,
  doneForEvent,
  isDoneForEvent,
  mergePlans,
  overruled,
  type Plan,
  planAction,
  planWithdrawal,
  same,
} from './plan-action.ts'
import type { RequestedAction } from './requested-actions.ts'

/** Held actions: their effect stays until no rule requests it. */
const heldActions = Object.values<Action>(actions).filter(({ withdraw }) => withdraw !== undefined)

/** Restrained actions, with the reason. */
function restrainedBy(action: Action, plan: Plan, requests: readonly RequestedAction[]): [string, string][] {
  if (action.restrains === undefined) return []
  const { actions: restrained, also } = action.restrains
  const doneKeys = new Set(requests.filter(isDoneForEvent).map(({ key }) => key))
  const restraining = plan.traces.find(({ key, trace: { result } }) => {
    if (result === 'done_before') return also === 'after_it_was_done' && !doneKeys.has(key)
    // Fails closed: an action that cannot be done, or not yet, restrains too.
    return result === 'call' || result === 'nothing_to_do' || result === 'blocked' || result === 'waits'
  })
  if (restraining === undefined) return []
  const reason = `${restraining.key} requests ${action.name}, which goes first`
  return restrained.map((name) => [name, reason])
}

/** Why an action stays withdrawn: an event withdrew it for this head, and no event requests it now. */
function withdrawnByEvent(
  action: Action,
  requests: readonly RequestedAction[],
  { memory, view }: ViewedInput,
): string | undefined {
  const before = memory.restrained?.[action.name]
  if (before === undefined || requests.some((request) => request.ofEvent && !isDoneForEvent(request))) return undefined
  const head = view.fact('head')
  // Fails closed: an unknown head counts as the same.
  if (head.is === 'known' && head.value !== before.head) return undefined
  return `the rule ${before.by} withdrew it for this head, until a push or an event that requests it`
}

/** A rule may request a call that is also a withdrawal: it is made once. */
function withoutDuplicates(calls: readonly Call[]): Call[] {
  return calls.filter(
    ({ endpoint, params, rules }) =>
      rules.length > 0 ||
      !calls.some((other) => other.rules.length > 0 && other.endpoint === endpoint && same(other.params, params)),
  )
}

/**
 * Turns requested actions, in order of precedence, into calls. Actions come in the order of their first request; merges
 * come last. `restrained`: actions that are not done whatever is requested, and why.
 */
export function planCalls(
  requests: readonly RequestedAction[],
  input: ViewedInput,
  restrained: ReadonlyMap<string, string>,
): Plan {
  const byAction = new Map<string, RequestedAction[]>()
  for (const request of requests) {
    const others = byAction.get(request.action)
    if (others === undefined) byAction.set(request.action, [request])
    else others.push(request)
  }
  const requested = [...byAction.keys()].flatMap((name) => actionNamed(name) ?? [])
  const unrequested = heldActions.filter(
    (action) => !byAction.has(action.name) && action.withdraw?.isInEffect(input.memory, []) === true,
  )
  const order = (action: Action): number => (isAccept(action) ? 1 : 0) - (action.restrains === undefined ? 0 : 1)
  const ordered = [...unrequested, ...requested].sort((a, b) => order(a) - order(b))
  const reasons = new Map(restrained)
  let unmet: string | undefined
  const plans = ordered.map((action): Plan => {
    // A denied request neither wins nor restrains.
    const allowed: RequestedAction[] = []
    const denied: Plan['traces'] = []
    for (const request of byAction.get(action.name) ?? []) {
      const detail = deniedBy(input.policy, request.file, action) ?? request.refused
      if (detail === undefined) allowed.push(request)
      else denied.push({ key: request.key, trace: actionTrace(action, { outcome: { result: 'blocked', detail } }) })
    }
    const reason = reasons.get(action.name) ?? withdrawnByEvent(action, allowed, input)
    if (reason !== undefined) {
      const traces = allowed.map((request) => ({
        key: request.key,
        trace: actionTrace(action, isDoneForEvent(request) ? doneForEvent : overruled(reason)),
      }))
      // A restrained action counts as not requested, so its earlier effect is withdrawn.
      return { ...planWithdrawal(action, [], input), traces: [...denied, ...traces] }
    }
    const seen = isAccept(action) ? { ...input, view: withUnmetStatus(input.view, unmet) } : input
    const plan = planAction(action, allowed, seen)
    unmet ??= plan.unmet
    for (const [name, why] of restrainedBy(action, plan, allowed)) reasons.set(name, why)
    return denied.length === 0 ? plan : { ...plan, traces: [...denied, ...plan.traces] }
  })
  const plan = mergePlans(plans)
  return { ...plan, calls: combineUpdates(withoutDuplicates(plan.calls)) }
}

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
  return {
    key,
    name: rule.name,
    file: file.path,
    line: rule.line,
    verdict: trace.verdict,
    became: trace.verdict === 'true' && hasBecome(evaluation, memory),
    fingerprint: rule.fingerprint,
    conditions: trace,
    actions,
    event: occurrence,
    leadsTo: leadsTo(rule),
    mode: mode === 'act' ? undefined : mode,
  }
}

function leadsTo({ actions }: RuleEvaluation['rule']): RuleTrace['leadsTo'] {
  const has = (name: string) => actions.some(({ action }) => action === name)
  return has('accept') ? 'merge' : has('approve') ? 'approve' : has('close') ? 'close' : undefined
}

/** The outcomes of a rule's actions in file order, and its withdrawn actions. */
export function actionTraces(
  traces: Plan['traces'],
  withdrawn: readonly ActionTrace[],
): (evaluation: RuleEvaluation) => { requested: ActionTrace[]; withdrawn: ActionTrace[] } {
  const none = { requested: [], withdrawn: [] }
  const byKey = new Map<string, ActionTrace[]>()
  for (const { key, trace } of traces) {
    const own = byKey.get(key)
    if (own === undefined) byKey.set(key, [trace])
    else own.push(trace)
  }
  return ({ rule, key }) => {
    const own = byKey.get(key) ?? []
    if (own.length + withdrawn.length === 0) return none
    return {
      requested: rule.actions.flatMap(({ action }) => own.filter((each) => each.action === action)),
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
  results.forEach(({ trace, changesAt }, index) => {
    if (changesAt === undefined || (first !== undefined && changesAt >= first)) return
    const { occurrence, request } = rules[index] ?? {}
    if (occurrence === undefined || request !== undefined || trace.verdict === 'true') first = changesAt
  })
  return first === undefined ? undefined : new Date(first).toISOString()
}
