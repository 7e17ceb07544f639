// From the wishes of all rules that hold to calls: joined, in order, the first rule wins.
import type { Action, Outcome, PlannedCall } from './action.ts'
import { actions } from './actions/index.ts'
import type { ActionTrace, Call, DecideInput, SourceName } from './types.ts'
import type { View } from './view.ts'
import { type Consideration, type Considered, consider, factsFor, inputOf, type RuleWish } from './wishes.ts'

/** What the wishes came to. */
export interface Plan {
  calls: Call[]
  /** By rule key and action, as it goes into the rule's trace. */
  traces: { key: string; trace: ActionTrace }[]
  /** Actions that were taken back: told by the rules that no longer ask for them. */
  withdrawn: ActionTrace[]
  againInMs: number[]
  needs: SourceName[]
}

const emptyPlan = (): Plan => ({ calls: [], traces: [], withdrawn: [], againInMs: [], needs: [] })

/** The action of that name, for names that come from outside. */
export function actionNamed(name: string): Action | undefined {
  return Object.hasOwn(actions, name) ? (actions as Record<string, Action>)[name] : undefined
}

function callOf(action: Action, planned: PlannedCall, rules: string[]): Call {
  const { call, bound } = planned
  return { ...call, action: action.name, rules, ...(bound === true ? { bound } : {}) }
}

function traceOf(action: Action, { outcome, conditions }: Considered): ActionTrace {
  return { action: action.name, result: outcome.result, detail: outcome.detail, ...(conditions === undefined ? {} : { conditions }) }
}

const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)
const settles = (outcome: Outcome) => outcome.result === 'call' || outcome.result === 'nothing to do' || outcome.result === 'done before'

/** For a single value the first rule wins; a later one that asks for the same shares its call, any other is lost. */
function single(action: Action, wishes: readonly RuleWish[], considered: readonly Considered[]): Plan {
  const plan = emptyPlan()
  const winner = considered.findIndex((each) => settles(each.outcome))
  const won = considered[winner]
  const keys: string[] = []
  for (const [index, wish] of wishes.entries()) {
    const each = considered[index]
    if (each === undefined) continue
    const agrees = index <= winner || winner < 0 || same(wish.args, wishes[winner]?.args)
    if (won?.outcome.result === 'call' && each.outcome.result === 'call' && agrees) keys.push(wish.key)
    const lost: Considered = { outcome: { result: 'lost', detail: `the rule ${wishes[winner]?.key} came first` }, asks: true }
    const told = agrees || each.outcome.result === 'done before' ? each : lost
    plan.traces.push({ key: wish.key, trace: traceOf(action, told) })
    if ('againInMs' in told.outcome && told.outcome.againInMs !== undefined) plan.againInMs.push(told.outcome.againInMs)
  }
  if (won?.outcome.result === 'call') plan.calls = won.outcome.calls.map((planned) => callOf(action, planned, keys))
  return plan
}

/** The wishes of several rules become one call. */
function joined(action: Action, wishes: readonly RuleWish[], input: DecideInput, view: View): Plan {
  const plan = emptyPlan()
  const known = factsFor(action.needs, view)
  if ('needs' in known) return { ...plan, needs: known.needs }
  if ('absent' in known || action.join === undefined) {
    const outcome: Outcome = { result: 'held back', detail: 'absent' in known ? known.absent : 'it cannot be joined' }
    return { ...plan, traces: wishes.map(({ key }) => ({ key, trace: traceOf(action, { outcome, asks: true }) })) }
  }
  const { outcomes, calls } = action.join(wishes, { ...inputOf(input), facts: known.facts } as Parameters<NonNullable<Action['join']>>[1])
  plan.traces = wishes.flatMap(({ key }, index) => {
    const outcome = outcomes[index]
    return outcome === undefined ? [] : [{ key, trace: traceOf(action, { outcome, asks: true }) }]
  })
  plan.calls = calls.map((planned) =>
    callOf(
      action,
      planned,
      planned.wishes.flatMap((index) => wishes[index]?.key ?? []),
    ),
  )
  return plan
}

function withdrawal(action: Action, input: DecideInput, view: View): Plan {
  const plan = emptyPlan()
  const known = factsFor(action.needs, view)
  if (action.withdraw === undefined || 'absent' in known) return plan
  if ('needs' in known) return { ...plan, needs: known.needs }
  const outcome = action.withdraw.calls({ ...inputOf(input), facts: known.facts } as Parameters<typeof action.withdraw.calls>[0])
  if (outcome.result !== 'call') return plan
  const withdrawn = [traceOf(action, { outcome, asks: false })]
  return { ...plan, withdrawn, calls: outcome.calls.map((planned) => callOf(action, planned, [])) }
}

const doneForEvent: Considered = { outcome: { result: 'done before', detail: 'done for this event' }, asks: true }

function planAction(action: Action, all: readonly RuleWish[], input: DecideInput, view: View): Plan {
  const wishes = all.filter((wish) => !(wish.ofEvent && wish.doneBefore))
  const plan = planWishes(action, wishes, input, view)
  const spent = all.filter((wish) => !wishes.includes(wish)).map(({ key }) => ({ key, trace: traceOf(action, doneForEvent) }))
  return { ...plan, traces: [...spent, ...plan.traces] }
}

function planWishes(action: Action, wishes: readonly RuleWish[], input: DecideInput, view: View): Plan {
  const stands = action.withdraw?.stands(input.memory) === true
  if (wishes.length === 0) return stands ? withdrawal(action, input, view) : emptyPlan()
  if (action.join !== undefined) return joined(action, wishes, input, view)
  const all: Consideration[] = wishes.map((wish) => consider(action, wish, input, view))
  const needs = all.flatMap((each) => ('needs' in each ? each.needs : []))
  if (needs.length > 0) return { ...emptyPlan(), needs }
  const considered = all.filter((each): each is Considered => !('needs' in each))
  const plan = single(action, wishes, considered)
  if (!stands || considered.some((each) => each.asks)) return plan
  const back = withdrawal(action, input, view)
  return { ...plan, calls: [...back.calls, ...plan.calls], withdrawn: back.withdrawn, needs: back.needs }
}

/** Turns wishes, in order of precedence, into calls. Actions come in the order in which rules first ask for them; what merges comes last. */
export function planCalls(wishes: readonly RuleWish[], input: DecideInput, view: View): Plan {
  const asked = [...new Set(wishes.map((wish) => wish.action))].flatMap((name) => actionNamed(name) ?? [])
  const rest = Object.values<Action>(actions).filter((action) => !asked.includes(action))
  const ordered = [...rest, ...asked].sort((a, b) => Number(a.last === true) - Number(b.last === true))
  const plans = ordered.map((action) =>
    planAction(
      action,
      wishes.filter((wish) => wish.action === action.name),
      input,
      view,
    ),
  )
  return {
    calls: plans.flatMap((plan) => plan.calls),
    traces: plans.flatMap((plan) => plan.traces),
    withdrawn: plans.flatMap((plan) => plan.withdrawn),
    againInMs: plans.flatMap((plan) => plan.againInMs),
    needs: plans.flatMap((plan) => plan.needs),
  }
}
