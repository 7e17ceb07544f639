// Plans one action: turns all rules' requests for it into calls, and withdraws its effect when no rule requests it.
import type { Action, ActionOutcome, PlannedCall } from '../actions/definition/action.ts'
import type { ViewedInput } from '../facts/reading/fact-view.ts'
import type { Json } from '../language/values/rule-types.ts'
import { isMap } from '../language/values/shapes.ts'
import type { ActionTrace, Call, Decision, SourceName } from '../types.ts'
import { completeRequest, keepsEffect } from './accept.ts'
import { type ActionPlan, considerAction, factsFor, inputOf, type RequestedAction } from './requested-actions.ts'

export interface Plan {
  calls: Call[]
  traces: { key: string; trace: ActionTrace }[]
  /** Withdrawn actions, for the traces of the rules that no longer request them. */
  withdrawn: ActionTrace[]
  /** What actions found out without a call, for their `notice`. */
  noticed: NonNullable<Decision['noticed']>
  againInMs: number[]
  /** Epoch milliseconds. */
  changesAt: number[]
  needs: SourceName[]
  /** Why the pipeline does not count as green, whatever its status is. */
  unmet?: string
}

export const mergePlans = (plans: readonly Plan[]): Plan => ({
  calls: plans.flatMap(({ calls }) => calls),
  traces: plans.flatMap(({ traces }) => traces),
  withdrawn: plans.flatMap(({ withdrawn }) => withdrawn),
  noticed: plans.flatMap(({ noticed }) => noticed),
  againInMs: plans.flatMap(({ againInMs }) => againInMs),
  changesAt: plans.flatMap(({ changesAt }) => changesAt),
  needs: plans.flatMap(({ needs }) => needs),
})

interface Candidate {
  request: RequestedAction
  plan: ActionPlan
}

function callOf(action: Action, { call, effects = [], ...more }: PlannedCall, rules: string[]): Call {
  return {
    to: 'service',
    ...call,
    action: action.name,
    rules,
    ...more,
    effects: effects.length === 0 ? undefined : effects,
  }
}

export function actionTrace(action: Action, { outcome, conditions }: Omit<ActionPlan, 'isRequested'>): ActionTrace {
  const { result, detail } = outcome
  if (result === 'call') return { action: action.name, result, detail, conditions }
  const { queue, limitedUntil, waitsFor } = outcome
  return { action: action.name, result, detail, conditions, queue, limitedUntil, waitsFor }
}

const noticedBy = (action: Action, memo: Json | undefined): Plan['noticed'] =>
  memo === undefined ? [] : [{ action: action.name, memo }]

export const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)

/** Whether no later rule can win any more. */
const isFinal = ({ outcome }: ActionPlan) =>
  outcome.result === 'call' ||
  outcome.result === 'nothing_to_do' ||
  outcome.result === 'done_before' ||
  outcome.handedOver === true

export const overruled = (detail: string): ActionPlan => ({
  outcome: { result: 'overruled', detail },
  isRequested: true,
})
const overruledBy = (rule: string) => overruled(`the rule ${rule} came first`)

/** For a single value the first rule wins. A later rule with the same value agrees with it; any other is overruled. */
function firstWins(candidates: readonly Candidate[]): ActionPlan[] {
  const place = candidates.findIndex(({ plan }) => isFinal(plan))
  const winner = candidates[place]?.request
  return candidates.map(({ request, plan }, index) =>
    winner === undefined || index <= place || plan.outcome.result === 'done_before' || same(request.args, winner.args)
      ? plan
      : overruledBy(winner.rule),
  )
}

/** If a rule has only one request, its newest event decides. */
function newestWins(candidates: readonly Candidate[]): ActionPlan[] {
  const newest = new Map(candidates.map(({ request }) => [request.rule, request]))
  return candidates.map(({ request, plan }) =>
    newest.get(request.rule) === request ? plan : overruled('a later event of the rule decides'),
  )
}

/** For each field the first rule wins. A request with a conflicting field is overruled as a whole. */
function firstOfFieldWins(candidates: readonly Candidate[]): ActionPlan[] {
  const taken = new Map<string, { value: unknown; rule: string }>()
  return candidates.map(({ request: { args, rule }, plan }) => {
    // Compares arguments and calls: the same template may give another text for another event.
    const fields: [string, unknown][] = [
      ...Object.entries(isMap(args) ? args : {}).map(([name, value]): [string, unknown] => [`argument ${name}`, value]),
      ...callsIn(plan).flatMap(({ call }) => Object.entries(call.params)),
    ]
    for (const [name, value] of fields) {
      const first = taken.get(name)
      if (first !== undefined && !same(first.value, value)) return overruledBy(first.rule)
    }
    if (isFinal(plan)) for (const [name, value] of fields) if (!taken.has(name)) taken.set(name, { value, rule })
    return plan
  })
}

const callsIn = ({ outcome }: ActionPlan): PlannedCall[] => (outcome.result === 'call' ? outcome.calls : [])

/** The calls of the requests: one set for all rules that share a value, otherwise one for each rule. */
function planCandidates(action: Action, candidates: readonly Candidate[]): Plan {
  const plan = mergePlans([])
  const plans = {
    field: firstOfFieldWins,
    newest_event: newestWins,
    rule: (all: typeof candidates) => all.map(({ plan }) => plan),
  }
  const compared = (action.per === undefined ? firstWins : plans[action.per])(candidates)
  const calling: { key: string; calls: PlannedCall[] }[] = []
  for (const [index, { request }] of candidates.entries()) {
    const { key } = request
    const each = compared[index] as ActionPlan
    if (each.changesAt !== undefined) plan.changesAt.push(each.changesAt)
    plan.traces.push({ key, trace: actionTrace(action, each) })
    if (each.outcome.result === 'call') calling.push({ key, calls: each.outcome.calls })
    else {
      if (each.outcome.againInMs !== undefined) plan.againInMs.push(each.outcome.againInMs)
      plan.noticed.push(...noticedBy(action, each.outcome.noticed))
    }
  }
  const isShared = action.per === undefined
  const keys = calling.map(({ key }) => key)
  const winner = compared.find(isFinal)
  plan.calls = isShared
    ? winner === undefined
      ? []
      : callsIn(winner).map((planned) => callOf(action, planned, keys))
    : calling.flatMap(({ key, calls }) => calls.map((planned) => callOf(action, planned, [key])))
  return plan
}

function planJoined(action: Action, requests: readonly RequestedAction[], input: ViewedInput): Plan {
  const plan = mergePlans([])
  const known = factsFor(action.needs, input.view)
  if ('needs' in known) return { ...plan, needs: known.needs }
  const keyedTrace = (key: string, outcome: ActionOutcome) => ({ key, trace: actionTrace(action, { outcome }) })
  if ('absent' in known || action.join === undefined) {
    const detail = 'absent' in known ? known.absent : 'it cannot be joined'
    return { ...plan, traces: requests.map(({ key }) => keyedTrace(key, { result: 'blocked', detail })) }
  }
  const given = inputOf(input, known.facts)
  const joined = action.join(requests, given)
  if (given.unread.size > 0) return { ...plan, needs: [...given.unread] }
  const { outcomes, calls, noticed, unmet } = joined
  const keys = (indices: readonly number[]) => indices.flatMap((index) => requests[index]?.key ?? [])
  return {
    ...plan,
    traces: requests.flatMap(({ key }, index) => {
      const outcome = outcomes[index]
      return outcome === undefined ? [] : [keyedTrace(key, outcome)]
    }),
    noticed: noticedBy(action, noticed),
    calls: calls.map(({ requests: served, ...planned }) => callOf(action, planned, keys(served))),
    unmet,
  }
}

/**
 * Withdraws a held action that no rule requests any more: the approval of a head that moved, a waiting merge, a label.
 * `requesters`: the rules that still request the action.
 */
export function planWithdrawal(action: Action, requesters: readonly string[], input: ViewedInput): Plan {
  const plan = mergePlans([])
  const { withdraw } = action
  if (withdraw?.isInEffect(input.memory, requesters) !== true) return plan
  const known = factsFor(withdraw.needs ?? action.needs, input.view)
  if ('needs' in known) return { ...plan, needs: known.needs }
  // Fails closed: an approval or merge is withdrawn even if its state cannot be read.
  if ('absent' in known && action.limited !== 'merge') return plan
  const given = inputOf(input, known.facts)
  const outcome = withdraw.calls(given, requesters)
  if (given.unread.size > 0) return { ...plan, needs: [...given.unread] }
  if (outcome.result !== 'call') {
    const againInMs = outcome.againInMs === undefined ? [] : [outcome.againInMs]
    return { ...plan, noticed: noticedBy(action, outcome.noticed), againInMs }
  }
  const withdrawn = [{ ...actionTrace(action, { outcome }), withdrawal: true as const }]
  return { ...plan, withdrawn, calls: outcome.calls.map((planned) => callOf(action, planned, [])) }
}

/** Whether an event requested the action and it was done for that event. */
export const isDoneForEvent = ({ ofEvent, doneBefore }: RequestedAction) => ofEvent && doneBefore
export const doneForEvent: ActionPlan = {
  outcome: { result: 'done_before', detail: 'done for this event' },
  isRequested: true,
}

/** Plans all requests for one action; those of events that were done already get a trace and no call. */
export function planAction(action: Action, all: readonly RequestedAction[], input: ViewedInput): Plan {
  // An action that goes on in the background is followed to its end.
  const over = action.when === 'followed' ? [] : all.filter(isDoneForEvent)
  const done = over.map(({ key }) => ({ key, trace: actionTrace(action, doneForEvent) }))
  const open = done.length === 0 ? all : all.filter((request) => !over.includes(request))
  const plan = planRequests(action, open, input)
  return done.length === 0 ? plan : { ...plan, traces: [...done, ...plan.traces] }
}

function planRequests(action: Action, requests: readonly RequestedAction[], input: ViewedInput): Plan {
  if (action.join !== undefined)
    return requests.length > 0 ? planJoined(action, requests, input) : planWithdrawal(action, [], input)
  const candidates: Candidate[] = []
  const needs: SourceName[] = []
  for (const each of requests) {
    const request = completeRequest(action, each, input)
    const plan = considerAction(action, request, input)
    if ('needs' in plan) needs.push(...plan.needs)
    else candidates.push({ request, plan })
  }
  if (needs.length > 0) return { ...mergePlans([]), needs }
  const plan = planCandidates(action, candidates)
  const keeps = ({ args }: RequestedAction) => keepsEffect(action, args, input.memory)
  const requesters = candidates.flatMap(({ request, plan: { isRequested } }) =>
    isRequested && keeps(request) ? [request.rule] : [],
  )
  const winner = candidates.find((each) => isFinal(each.plan))
  const isReplaced = winner !== undefined && !keeps(winner.request)
  // A shared value stays while any rule requests it; a rule's own value, while that rule does.
  if (action.per === undefined && requesters.length > 0 && !isReplaced) return plan
  return mergePlans([planWithdrawal(action, requesters, input), plan])
}
