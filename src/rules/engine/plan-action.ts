// Plans one action: the requests of all rules for it become calls; the first rule wins, or each has its own.
import type { Action, ActionOutcome, PlannedCall } from '../actions/definition/action.ts'
import type { FactReader } from '../facts/reading/fact-view.ts'
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

const emptyPlan = (): Plan => ({ calls: [], traces: [], withdrawn: [], noted: [], againInMs: [], needs: [] })

function callOf(action: Action, { call, revalidate, memo, before, effects }: PlannedCall, rules: string[]): Call {
  const made: Call = { endpoint: call.endpoint, params: call.params, action: action.name, rules }
  if (revalidate === true) made.revalidate = revalidate
  if (memo !== undefined) made.memo = memo
  if (before !== undefined) made.before = before
  if (effects !== undefined && effects.length > 0) made.effects = effects
  return made
}

/** The outcome of an action as a rule’s trace shows it. */
export function traceOf(action: Action, { outcome, conditions }: ActionPlan): ActionTrace {
  const trace: ActionTrace = { action: action.name, result: outcome.result, detail: outcome.detail }
  if (conditions !== undefined) trace.conditions = conditions
  return trace
}

const notedBy = (action: Action, memo: Json | undefined): Plan['noted'] =>
  memo === undefined ? [] : [{ action: action.name, memo }]

export const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)
const settles = (outcome: ActionOutcome) =>
  outcome.result === 'call' ||
  outcome.result === 'nothing_to_do' ||
  outcome.result === 'done_before' ||
  outcome.handedOver === true
export const overruled = (detail: string): ActionPlan => ({ outcome: { result: 'overruled', detail }, asks: true })

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
      agrees || each.outcome.result === 'done_before'
        ? each
        : overruled(`the rule ${requests[winner]?.rule} came first`)
    plan.traces.push({ key: request.key, trace: traceOf(action, result) })
    if ('againInMs' in result.outcome && result.outcome.againInMs !== undefined)
      plan.againInMs.push(result.outcome.againInMs)
  }
  if (won?.outcome.result === 'call') plan.calls = won.outcome.calls.map((planned) => callOf(action, planned, keys))
  return plan
}

/** Each rule has its own. If a rule has only one, its newest event decides. */
function perRule(action: Action, requests: readonly RequestedAction[], considered: readonly ActionPlan[]): Plan {
  const plan = emptyPlan()
  const newest = new Map(requests.map(({ rule }, index) => [rule, index]))
  for (const [index, request] of requests.entries()) {
    const one = considered[index]
    if (one === undefined) continue
    const superseded = action.perRule === 'the newest' && newest.get(request.rule) !== index
    const result = superseded ? overruled('a later event of the rule speaks for it') : one
    plan.traces.push({ key: request.key, trace: traceOf(action, result) })
    if (result.outcome.result === 'call')
      plan.calls.push(...result.outcome.calls.map((planned) => callOf(action, planned, [request.key])))
    if ('againInMs' in result.outcome && result.outcome.againInMs !== undefined)
      plan.againInMs.push(result.outcome.againInMs)
  }
  return plan
}

/** For each field the first rule wins. A request with a conflicting field is overruled as a whole. */
function perField(action: Action, requests: readonly RequestedAction[], considered: readonly ActionPlan[]): Plan {
  const plan = emptyPlan()
  const taken = new Map<string, { value: unknown; rule: string }>()
  for (const [index, request] of requests.entries()) {
    const one = considered[index]
    if (one === undefined) continue
    const calls = one.outcome.result === 'call' ? one.outcome.calls : []
    // Compares arguments and calls: the same template may give another text for another event.
    const fields = [
      ...Object.entries(isMap(request.args) ? request.args : {}).map(
        ([name, value]) => [`argument ${name}`, value] as const,
      ),
      ...calls.flatMap(({ call }) => Object.entries(call.params)),
    ]
    const first = fields.flatMap(([name, value]) => {
      const before = taken.get(name)
      return before === undefined || same(before.value, value) ? [] : [before]
    })[0]
    const result = first === undefined ? one : overruled(`the rule ${first.rule} came first`)
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
      result: 'blocked',
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

/** Takes back what the action did, where no rule requests it any more. */
export function withdrawal(action: Action, asking: readonly string[], input: DecideInput, view: FactReader): Plan {
  const plan = emptyPlan()
  const { withdraw } = action
  if (withdraw?.isInEffect(input.memory, asking) !== true) return plan
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
export const spent = ({ ofEvent, doneBefore }: RequestedAction) => ofEvent && doneBefore
export const doneForEvent: ActionPlan = {
  outcome: { result: 'done_before', detail: 'done for this event' },
  asks: true,
}

/** Plans all requests for one action; those of events that were done already get a trace and no call. */
export function planAction(
  action: Action,
  all: readonly RequestedAction[],
  input: DecideInput,
  view: FactReader,
): Plan {
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

function plannerFor(action: Action): typeof single {
  if (action.perRule !== undefined) return perRule
  return action.perField === true ? perField : single
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
  const plan = plannerFor(action)(action, requests, considered)
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
