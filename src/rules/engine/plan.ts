// Turns the requested actions of all matched rules into calls: combined and ordered; the first rule wins.
import type { Action, ActionOutcome, PlannedCall } from '../actions/definition/action.ts'
import { combineUpdates } from '../actions/definition/combined-update.ts'
import { actionNamed, actions } from '../actions/index.ts'
import type { FactReader } from '../facts/reading/fact-view.ts'
import { deniedBy } from '../language/policy.ts'
import type { Json } from '../language/values/rule-types.ts'
import { isMap } from '../language/values/shapes.ts'
import type { ActionTrace, Call, DecideInput, Decision, SourceName } from '../types.ts'
import {
  type ActionConsideration,
  type ActionPlan,
  considerAction,
  factsFor,
  inputOf,
  type RequestedAction,
} from './requested-actions.ts'

/** The calls of a decision, and the outcome of each requested action. */
export interface Plan {
  calls: Call[]
  /** By rule key, for the rule's trace. */
  traces: { key: string; trace: ActionTrace }[]
  /** Withdrawn actions, for the traces of the rules that no longer request them. */
  withdrawn: ActionTrace[]
  /** What actions noted without a call. */
  noted: NonNullable<Decision['noted']>
  againInMs: number[]
  needs: SourceName[]
}

/** The effect of some actions stays in place until no rule requests it. */
const keptActions = Object.values<Action>(actions).filter(({ withdraw }) => withdraw !== undefined)

const emptyPlan = (): Plan => ({ calls: [], traces: [], withdrawn: [], noted: [], againInMs: [], needs: [] })

function callOf(action: Action, { call, bound, memo, before, effects }: PlannedCall, rules: string[]): Call {
  const made: Call = { endpoint: call.endpoint, params: call.params, action: action.name, rules }
  if (bound === true) made.bound = bound
  if (memo !== undefined) made.memo = memo
  if (before !== undefined) made.before = before
  if (effects !== undefined && effects.length > 0) made.effects = effects
  return made
}

function traceOf(action: Action, { outcome, conditions }: ActionPlan): ActionTrace {
  const trace: ActionTrace = { action: action.name, result: outcome.result, detail: outcome.detail }
  if (conditions !== undefined) trace.conditions = conditions
  return trace
}

const notedBy = (action: Action, memo: Json | undefined): Plan['noted'] =>
  memo === undefined ? [] : [{ action: action.name, memo }]

const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)
const settles = (outcome: ActionOutcome) =>
  outcome.result === 'call' ||
  outcome.result === 'nothing to do' ||
  outcome.result === 'done before' ||
  outcome.handedOver === true
const lost = (detail: string): ActionPlan => ({ outcome: { result: 'lost', detail }, asks: true })

/** For a single value the first rule wins. A later rule with the same value shares its call; any other is overruled. */
function single(action: Action, requests: readonly RequestedAction[], considered: readonly ActionPlan[]): Plan {
  const plan = emptyPlan()
  const winner = considered.findIndex((each) => settles(each.outcome))
  const won = considered[winner]
  const keys: string[] = []
  for (const [index, request] of requests.entries()) {
    const each = considered[index]
    if (each === undefined) continue
    const agrees = index <= winner || winner < 0 || same(request.args, requests[winner]?.args)
    if (won?.outcome.result === 'call' && each.outcome.result === 'call' && agrees) keys.push(request.key)
    const result =
      agrees || each.outcome.result === 'done before' ? each : lost(`the rule ${requests[winner]?.rule} came first`)
    plan.traces.push({ key: request.key, trace: traceOf(action, result) })
    if ('againInMs' in result.outcome && result.outcome.againInMs !== undefined)
      plan.againInMs.push(result.outcome.againInMs)
  }
  if (won?.outcome.result === 'call') plan.calls = won.outcome.calls.map((planned) => callOf(action, planned, keys))
  return plan
}

/** Each rule has its own. If a rule has only one, its newest event decides. */
function each(action: Action, requests: readonly RequestedAction[], considered: readonly ActionPlan[]): Plan {
  const plan = emptyPlan()
  const newest = new Map(requests.map(({ rule }, index) => [rule, index]))
  for (const [index, request] of requests.entries()) {
    const one = considered[index]
    if (one === undefined) continue
    const superseded = action.perRule === 'the newest' && newest.get(request.rule) !== index
    const result = superseded ? lost('a later event of the rule speaks for it') : one
    plan.traces.push({ key: request.key, trace: traceOf(action, result) })
    if (result.outcome.result === 'call')
      plan.calls.push(...result.outcome.calls.map((planned) => callOf(action, planned, [request.key])))
    if ('againInMs' in result.outcome && result.outcome.againInMs !== undefined)
      plan.againInMs.push(result.outcome.againInMs)
  }
  return plan
}

/** For each field the first rule wins. A request with a conflicting field is overruled as a whole. */
function byField(action: Action, requests: readonly RequestedAction[], considered: readonly ActionPlan[]): Plan {
  const plan = emptyPlan()
  const taken = new Map<string, { value: unknown; rule: string }>()
  for (const [index, request] of requests.entries()) {
    const one = considered[index]
    if (one === undefined) continue
    const calls = one.outcome.result === 'call' ? one.outcome.calls : []
    // Compares arguments and calls: the same template may give another text for another event.
    const fields = [
      ...Object.entries(isMap(request.args) ? request.args : {}).map(
        ([name, value]) => [`expected ${name}`, value] as const,
      ),
      ...calls.flatMap(({ call }) => Object.entries(call.params)),
    ]
    const first = fields.flatMap(([name, value]) => {
      const before = taken.get(name)
      return before === undefined || same(before.value, value) ? [] : [before]
    })[0]
    const result = first === undefined ? one : lost(`the rule ${first.rule} came first`)
    plan.traces.push({ key: request.key, trace: traceOf(action, result) })
    if (result !== one || !settles(one.outcome)) continue
    for (const [name, value] of fields) if (!taken.has(name)) taken.set(name, { value, rule: request.rule })
    plan.calls.push(...calls.map((planned) => callOf(action, planned, [request.key])))
  }
  return plan
}

/** The requests of several rules become one call. */
function joined(action: Action, requests: readonly RequestedAction[], input: DecideInput, view: FactReader): Plan {
  const plan = emptyPlan()
  const known = factsFor(action.needs, view)
  if ('needs' in known) return { ...plan, needs: known.needs }
  if ('absent' in known || action.join === undefined) {
    const outcome: ActionOutcome = {
      result: 'held back',
      detail: 'absent' in known ? known.absent : 'it cannot be joined',
    }
    return { ...plan, traces: requests.map(({ key }) => ({ key, trace: traceOf(action, { outcome, asks: true }) })) }
  }
  const given = inputOf(input, known.facts) as Parameters<NonNullable<Action['join']>>[1]
  const { outcomes, calls, noted } = action.join(requests, given)
  outcomes.forEach((outcome, index) => {
    const request = requests[index]
    if (request !== undefined) plan.traces.push({ key: request.key, trace: traceOf(action, { outcome, asks: true }) })
  })
  plan.noted = notedBy(action, noted)
  const keys = (indices: readonly number[]) =>
    indices.map((index) => requests[index]?.key).filter((key) => key !== undefined)
  plan.calls = calls.map((planned) => callOf(action, planned, keys(planned.requests)))
  return plan
}

function withdrawal(action: Action, asking: readonly string[], input: DecideInput, view: FactReader): Plan {
  const plan = emptyPlan()
  const { withdraw } = action
  if (withdraw?.stands(input.memory, asking) !== true) return plan
  const known = factsFor(withdraw.needs ?? action.needs, view)
  if ('needs' in known) return { ...plan, needs: known.needs }
  // Fails closed: an approval or merge is withdrawn even if its state cannot be read.
  if ('absent' in known && action.policy !== 'merge') return plan
  const given = inputOf(input, known.facts) as Parameters<typeof withdraw.calls>[0]
  const missing = (withdraw.reads ?? []).filter((name) => !Object.hasOwn(input.answers, name))
  if (missing.length > 0) return { ...plan, needs: missing }
  const outcome = withdraw.calls(given, asking)
  if (outcome.result !== 'call') return { ...plan, noted: notedBy(action, outcome.noted) }
  const withdrawn = [{ ...traceOf(action, { outcome, asks: false }), withdrawal: true as const }]
  return { ...plan, withdrawn, calls: outcome.calls.map((planned) => callOf(action, planned, [])) }
}

/** Actions that an event requested and that were done. */
const spent = ({ ofEvent, doneBefore }: RequestedAction) => ofEvent && doneBefore
const doneForEvent: ActionPlan = { outcome: { result: 'done before', detail: 'done for this event' }, asks: true }

function planAction(action: Action, all: readonly RequestedAction[], input: DecideInput, view: FactReader): Plan {
  if (!all.some(spent)) return planRequests(action, all, input, view)
  const over = all.filter(spent).map(({ key }) => ({ key, trace: traceOf(action, doneForEvent) }))
  const plan = planRequests(
    action,
    all.filter((request) => !spent(request)),
    input,
    view,
  )
  return { ...plan, traces: [...over, ...plan.traces] }
}

function waysToPlan(action: Action): typeof single {
  if (action.perRule !== undefined) return each
  return action.byField === true ? byField : single
}

function planRequests(
  action: Action,
  requests: readonly RequestedAction[],
  input: DecideInput,
  view: FactReader,
): Plan {
  if (action.join !== undefined) {
    return requests.length > 0 ? joined(action, requests, input, view) : withdrawal(action, [], input, view)
  }
  const all: ActionConsideration[] = requests.map((request) => considerAction(action, request, input, view))
  const needs = all.flatMap((one) => ('needs' in one ? one.needs : []))
  if (needs.length > 0) return { ...emptyPlan(), needs }
  const considered = all.filter((one): one is ActionPlan => !('needs' in one))
  const plan = waysToPlan(action)(action, requests, considered)
  const asking = requests.filter((_, index) => considered[index]?.asks === true).map((request) => request.rule)
  // A shared value is kept while any rule requests it; a rule's own, while that rule does.
  if (action.perRule === undefined && asking.length > 0) return plan
  const back = withdrawal(action, asking, input, view)
  return {
    ...plan,
    calls: [...back.calls, ...plan.calls],
    withdrawn: back.withdrawn,
    noted: back.noted,
    needs: back.needs,
  }
}

/** Restrained actions, with the rule that restrains them. */
function restrainedBy(action: Action, plan: Plan, own: readonly RequestedAction[]): [string, string][] {
  if (action.restrains === undefined) return []
  const over = new Set(own.filter(spent).map(({ key }) => key))
  const asked = plan.traces.find(({ key, trace: { result } }) => {
    if (result === 'done before') return action.restrainsWhenDone === true && !over.has(key)
    // Fails closed: an action that cannot be done, or not yet, restrains too.
    return result === 'call' || result === 'nothing to do' || result === 'held back' || result === 'waits'
  })
  return asked === undefined
    ? []
    : action.restrains.map((name) => [name, `${asked.key} asks to ${action.name}, which goes before it`])
}

/** What an event withdrew for this head, and no event requests now. Fails closed: an unknown head counts as the same. */
function takenBack(
  action: Action,
  own: readonly RequestedAction[],
  { memory }: DecideInput,
  view: FactReader,
): string | undefined {
  const before = memory.restrained?.[action.name]
  if (before === undefined || own.some((request) => request.ofEvent && !spent(request))) return undefined
  const head = view.fact('head')
  if (head.is === 'known' && head.value !== before.head) return undefined
  return `the rule ${before.by} took it back for this head: a push, or an event that asks for it, ends that`
}

/** A rule may request a call that is also a withdrawal: it is made once. */
function eachOnce(calls: readonly Call[]): Call[] {
  return calls.filter(
    ({ endpoint, params, rules }) =>
      rules.length > 0 ||
      !calls.some((other) => other.rules.length > 0 && other.endpoint === endpoint && same(other.params, params)),
  )
}

/**
 * Turns requested actions, in order of precedence, into calls. Actions come in the order in which rules first request them; merges come last.
 * `kept`: actions that are not done whatever is requested, and why.
 */
export function planCalls(
  requests: readonly RequestedAction[],
  input: DecideInput,
  view: FactReader,
  kept: ReadonlyMap<string, string>,
): Plan {
  const byAction = new Map<string, RequestedAction[]>()
  for (const request of requests) {
    const others = byAction.get(request.action)
    if (others === undefined) byAction.set(request.action, [request])
    else others.push(request)
  }
  const asked = [...byAction.keys()].flatMap((name) => actionNamed(name) ?? [])
  // Of actions that no rule requests, only those in effect may have to be withdrawn.
  const standing = keptActions.filter(
    (action) => !byAction.has(action.name) && action.withdraw?.stands(input.memory, []) === true,
  )
  const place = (action: Action): number => (action.last === true ? 1 : 0) - (action.restrains === undefined ? 0 : 1)
  const ordered = [...standing, ...asked].sort((a, b) => place(a) - place(b))
  const restrained = new Map(kept)
  const plans = ordered.map((action): Plan => {
    const all = byAction.get(action.name) ?? []
    // A denied request neither wins nor restrains.
    const own: RequestedAction[] = []
    const denied: Plan['traces'] = []
    for (const request of all) {
      const detail = deniedBy(input.policy, request.file, action)
      if (detail === undefined) own.push(request)
      else
        denied.push({
          key: request.key,
          trace: traceOf(action, { outcome: { result: 'held back', detail }, asks: false }),
        })
    }
    const reason = restrained.get(action.name) ?? takenBack(action, own, input, view)
    if (reason !== undefined) {
      const traces = own.map((request) => ({
        key: request.key,
        trace: traceOf(action, spent(request) ? doneForEvent : lost(reason)),
      }))
      // A restrained action counts as not requested, so its earlier effect is withdrawn.
      return { ...withdrawal(action, [], input, view), traces: [...denied, ...traces] }
    }
    const plan = planAction(action, own, input, view)
    for (const [name, why] of restrainedBy(action, plan, own)) restrained.set(name, why)
    return denied.length === 0 ? plan : { ...plan, traces: [...denied, ...plan.traces] }
  })
  const [only] = plans
  if (only !== undefined && plans.length === 1) return { ...only, calls: combineUpdates(only.calls) }
  return {
    calls: combineUpdates(eachOnce(plans.flatMap((plan) => plan.calls))),
    traces: plans.flatMap((plan) => plan.traces),
    withdrawn: plans.flatMap((plan) => plan.withdrawn),
    noted: plans.flatMap((plan) => plan.noted),
    againInMs: plans.flatMap((plan) => plan.againInMs),
    needs: plans.flatMap((plan) => plan.needs),
  }
}
