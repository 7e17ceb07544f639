// Turns the requested actions of all matched rules into calls, in their order; a restraining action goes before what it restrains.
import type { Action } from '../actions/definition/action.ts'
import { combineUpdates } from '../actions/definition/combined-update.ts'
import { actionNamed, actions } from '../actions/index.ts'
import type { FactReader } from '../facts/reading/fact-view.ts'
import { deniedBy } from '../language/policy.ts'
import type { Call, DecideInput } from '../types.ts'
import { doneForEvent, overruled, type Plan, planAction, same, spent, traceOf, withdrawal } from './plan-action.ts'
import type { RequestedAction } from './requested-actions.ts'

/** The effect of some actions stays in place until no rule requests it. */
const keptActions = Object.values<Action>(actions).filter(({ withdraw }) => withdraw !== undefined)

/** Restrained actions, with the rule that restrains them. */
function restrainedBy(action: Action, plan: Plan, own: readonly RequestedAction[]): [string, string][] {
  if (action.restrains === undefined) return []
  const over = new Set(own.filter(spent).map(({ key }) => key))
  const asked = plan.traces.find(({ key, trace: { result } }) => {
    if (result === 'done_before') return action.restrainsWhenDone === true && !over.has(key)
    // Fails closed: an action that cannot be done, or not yet, restrains too.
    return result === 'call' || result === 'nothing_to_do' || result === 'blocked' || result === 'waits'
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
    (action) => !byAction.has(action.name) && action.withdraw?.isInEffect(input.memory, []) === true,
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
          trace: traceOf(action, { outcome: { result: 'blocked', detail }, asks: false }),
        })
    }
    const reason = restrained.get(action.name) ?? takenBack(action, own, input, view)
    if (reason !== undefined) {
      const traces = own.map((request) => ({
        key: request.key,
        trace: traceOf(action, spent(request) ? doneForEvent : overruled(reason)),
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
