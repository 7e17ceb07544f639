// From the wishes of all rules that hold to calls: joined, in order, the first rule wins.
import type { Action, Outcome, PlannedCall } from './action.ts'
import { actions } from './actions/index.ts'
import { oneUpdate } from './one-update.ts'
import { deniedBy } from './policy.ts'
import { isMap } from './shapes.ts'
import type { ActionTrace, Call, DecideInput, Decision, Json, SourceName } from './types.ts'
import type { View } from './view.ts'
import { type Consideration, type Considered, consider, factsFor, inputOf, type RuleWish } from './wishes.ts'

/** What the wishes came to. */
export interface Plan {
  calls: Call[]
  /** By rule key and action, as it goes into the rule's trace. */
  traces: { key: string; trace: ActionTrace }[]
  /** Actions that were taken back: told by the rules that no longer ask for them. */
  withdrawn: ActionTrace[]
  /** What was found to be so without a call. */
  noted: NonNullable<Decision['noted']>
  againInMs: number[]
  needs: SourceName[]
}

/** What some actions did may stand, and is taken back when nobody asks for it. */
const keptActions = Object.values<Action>(actions).filter(({ withdraw }) => withdraw !== undefined)

const emptyPlan = (): Plan => ({ calls: [], traces: [], withdrawn: [], noted: [], againInMs: [], needs: [] })

/** The action of that name, for names that come from outside. */
export function actionNamed(name: string): Action | undefined {
  return Object.hasOwn(actions, name) ? (actions as Record<string, Action>)[name] : undefined
}

function callOf(action: Action, { call, bound, memo, before }: PlannedCall, rules: string[]): Call {
  const made: Call = { endpoint: call.endpoint, params: call.params, action: action.name, rules }
  if (bound === true) made.bound = bound
  if (memo !== undefined) made.memo = memo
  if (before !== undefined) made.before = before
  return made
}

function traceOf(action: Action, { outcome, conditions }: Considered): ActionTrace {
  const told: ActionTrace = { action: action.name, result: outcome.result, detail: outcome.detail }
  if (conditions !== undefined) told.conditions = conditions
  return told
}

const notedBy = (action: Action, memo: Json | undefined): Plan['noted'] => (memo === undefined ? [] : [{ action: action.name, memo }])

const same = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)
const settles = (outcome: Outcome) =>
  outcome.result === 'call' || outcome.result === 'nothing to do' || outcome.result === 'done before' || outcome.handedOver === true
const lost = (detail: string): Considered => ({ outcome: { result: 'lost', detail }, asks: true })

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
    const told = agrees || each.outcome.result === 'done before' ? each : lost(`the rule ${wishes[winner]?.rule} came first`)
    plan.traces.push({ key: wish.key, trace: traceOf(action, told) })
    if ('againInMs' in told.outcome && told.outcome.againInMs !== undefined) plan.againInMs.push(told.outcome.againInMs)
  }
  if (won?.outcome.result === 'call') plan.calls = won.outcome.calls.map((planned) => callOf(action, planned, keys))
  return plan
}

/** Each rule's own. Where a rule has one thing only, the newest of its events speaks for it. */
function each(action: Action, wishes: readonly RuleWish[], considered: readonly Considered[]): Plan {
  const plan = emptyPlan()
  const newest = new Map(wishes.map(({ rule }, index) => [rule, index]))
  for (const [index, wish] of wishes.entries()) {
    const one = considered[index]
    if (one === undefined) continue
    const superseded = action.perRule === 'the newest' && newest.get(wish.rule) !== index
    const told = superseded ? lost('a later event of the rule speaks for it') : one
    plan.traces.push({ key: wish.key, trace: traceOf(action, told) })
    if (told.outcome.result === 'call') plan.calls.push(...told.outcome.calls.map((planned) => callOf(action, planned, [wish.key])))
    if ('againInMs' in told.outcome && told.outcome.againInMs !== undefined) plan.againInMs.push(told.outcome.againInMs)
  }
  return plan
}

/** For each field the first rule wins; a wish with a field that is set otherwise already is lost as a whole. */
function byField(action: Action, wishes: readonly RuleWish[], considered: readonly Considered[]): Plan {
  const plan = emptyPlan()
  const taken = new Map<string, { value: unknown; rule: string }>()
  for (const [index, wish] of wishes.entries()) {
    const one = considered[index]
    if (one === undefined) continue
    const calls = one.outcome.result === 'call' ? one.outcome.calls : []
    // What is asked for, and what is sent: the same text may say something else for another event.
    const fields = [
      ...Object.entries(isMap(wish.args) ? wish.args : {}).map(([name, value]) => [`wanted ${name}`, value] as const),
      ...calls.flatMap(({ call }) => Object.entries(call.params)),
    ]
    const first = fields.flatMap(([name, value]) => {
      const before = taken.get(name)
      return before === undefined || same(before.value, value) ? [] : [before]
    })[0]
    const told = first === undefined ? one : lost(`the rule ${first.rule} came first`)
    plan.traces.push({ key: wish.key, trace: traceOf(action, told) })
    if (told !== one || !settles(one.outcome)) continue
    for (const [name, value] of fields) if (!taken.has(name)) taken.set(name, { value, rule: wish.rule })
    plan.calls.push(...calls.map((planned) => callOf(action, planned, [wish.key])))
  }
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
  const given = inputOf(input, known.facts) as Parameters<NonNullable<Action['join']>>[1]
  const { outcomes, calls, noted } = action.join(wishes, given)
  outcomes.forEach((outcome, index) => {
    const wish = wishes[index]
    if (wish !== undefined) plan.traces.push({ key: wish.key, trace: traceOf(action, { outcome, asks: true }) })
  })
  plan.noted = notedBy(action, noted)
  const keys = (indices: readonly number[]) => indices.map((index) => wishes[index]?.key).filter((key) => key !== undefined)
  plan.calls = calls.map((planned) => callOf(action, planned, keys(planned.wishes)))
  return plan
}

function withdrawal(action: Action, asking: readonly string[], input: DecideInput, view: View): Plan {
  const plan = emptyPlan()
  const { withdraw } = action
  if (withdraw?.stands(input.memory, asking) !== true) return plan
  const known = factsFor(withdraw.needs ?? action.needs, view)
  if ('needs' in known) return { ...plan, needs: known.needs }
  // Fails closed: what lets code in is taken back also where it cannot be read whether it stands.
  if ('absent' in known && action.policy !== 'merge') return plan
  const given = inputOf(input, known.facts) as Parameters<typeof withdraw.calls>[0]
  const missing = (withdraw.reads ?? []).filter((name) => !Object.hasOwn(input.answers, name))
  if (missing.length > 0) return { ...plan, needs: missing }
  const outcome = withdraw.calls(given, asking)
  if (outcome.result !== 'call') return { ...plan, noted: notedBy(action, outcome.noted) }
  const withdrawn = [{ ...traceOf(action, { outcome, asks: false }), withdrawal: true as const }]
  return { ...plan, withdrawn, calls: outcome.calls.map((planned) => callOf(action, planned, [])) }
}

/** What an event asked for and was done for it. */
const spent = ({ ofEvent, doneBefore }: RuleWish) => ofEvent && doneBefore
const doneForEvent: Considered = { outcome: { result: 'done before', detail: 'done for this event' }, asks: true }

function planAction(action: Action, all: readonly RuleWish[], input: DecideInput, view: View): Plan {
  if (!all.some(spent)) return planWishes(action, all, input, view)
  const over = all.filter(spent).map(({ key }) => ({ key, trace: traceOf(action, doneForEvent) }))
  const plan = planWishes(
    action,
    all.filter((wish) => !spent(wish)),
    input,
    view,
  )
  return { ...plan, traces: [...over, ...plan.traces] }
}

function waysToPlan(action: Action): typeof single {
  if (action.perRule !== undefined) return each
  return action.byField === true ? byField : single
}

function planWishes(action: Action, wishes: readonly RuleWish[], input: DecideInput, view: View): Plan {
  if (action.join !== undefined) {
    return wishes.length > 0 ? joined(action, wishes, input, view) : withdrawal(action, [], input, view)
  }
  const all: Consideration[] = wishes.map((wish) => consider(action, wish, input, view))
  const needs = all.flatMap((one) => ('needs' in one ? one.needs : []))
  if (needs.length > 0) return { ...emptyPlan(), needs }
  const considered = all.filter((one): one is Considered => !('needs' in one))
  const plan = waysToPlan(action)(action, wishes, considered)
  const asking = wishes.filter((_, index) => considered[index]?.asks === true).map((wish) => wish.rule)
  // A single value is kept while any rule asks for it; what each rule has of its own, while that rule does.
  if (action.perRule === undefined && asking.length > 0) return plan
  const back = withdrawal(action, asking, input, view)
  return { ...plan, calls: [...back.calls, ...plan.calls], withdrawn: back.withdrawn, noted: back.noted, needs: back.needs }
}

/** Actions that give way, with the rule that restrains them. */
function restrainedBy(action: Action, plan: Plan, own: readonly RuleWish[]): [string, string][] {
  if (action.restrains === undefined) return []
  const over = new Set(own.filter(spent).map(({ key }) => key))
  const asked = plan.traces.find(({ key, trace: { result } }) => {
    if (result === 'done before') return action.restrainsWhenDone === true && !over.has(key)
    // Fails closed: one that cannot be done, or not yet, restrains as well.
    return result === 'call' || result === 'nothing to do' || result === 'held back' || result === 'waits'
  })
  return asked === undefined ? [] : action.restrains.map((name) => [name, `${asked.key} asks to ${action.name}, which goes before it`])
}

/** What an event took back of this head, and no event asks for now. Fails closed: a head that is not known may be that one. */
function takenBack(action: Action, own: readonly RuleWish[], { memory }: DecideInput, view: View): string | undefined {
  const before = memory.restrained?.[action.name]
  if (before === undefined || own.some((wish) => wish.ofEvent && !spent(wish))) return undefined
  const head = view.fact('head')
  if (head.is === 'known' && head.value !== before.head) return undefined
  return `the rule ${before.by} took it back for this head: a push, or an event that asks for it, ends that`
}

/** A rule may ask for the same call by which what nobody asks for is taken back: it is made once. */
function eachOnce(calls: readonly Call[]): Call[] {
  return calls.filter(
    ({ endpoint, params, rules }) =>
      rules.length > 0 || !calls.some((other) => other.rules.length > 0 && other.endpoint === endpoint && same(other.params, params)),
  )
}

/**
 * Turns wishes, in order of precedence, into calls. Actions come in the order in which rules first ask for them; what merges comes last.
 * `kept`: what is not done whatever the wishes are, and why.
 */
export function planCalls(wishes: readonly RuleWish[], input: DecideInput, view: View, kept: ReadonlyMap<string, string>): Plan {
  const byAction = new Map<string, RuleWish[]>()
  for (const wish of wishes) {
    const others = byAction.get(wish.action)
    if (others === undefined) byAction.set(wish.action, [wish])
    else others.push(wish)
  }
  const asked = [...byAction.keys()].flatMap((name) => actionNamed(name) ?? [])
  // Of what nobody asks for, only what stands may have to be taken back.
  const standing = keptActions.filter((action) => !byAction.has(action.name) && action.withdraw?.stands(input.memory, []) === true)
  const place = (action: Action): number => (action.last === true ? 1 : 0) - (action.restrains === undefined ? 0 : 1)
  const ordered = [...standing, ...asked].sort((a, b) => place(a) - place(b))
  const restrained = new Map(kept)
  const plans = ordered.map((action): Plan => {
    const all = byAction.get(action.name) ?? []
    // A wish that is denied is none: it neither wins nor restrains.
    const own: RuleWish[] = []
    const denied: Plan['traces'] = []
    for (const wish of all) {
      const detail = deniedBy(input.policy, wish.file, action)
      if (detail === undefined) own.push(wish)
      else denied.push({ key: wish.key, trace: traceOf(action, { outcome: { result: 'held back', detail }, asks: false }) })
    }
    const reason = restrained.get(action.name) ?? takenBack(action, own, input, view)
    if (reason !== undefined) {
      const traces = own.map((wish) => ({ key: wish.key, trace: traceOf(action, spent(wish) ? doneForEvent : lost(reason)) }))
      // What is restrained is asked for by nobody: what was done of it before does not stand.
      return { ...withdrawal(action, [], input, view), traces: [...denied, ...traces] }
    }
    const plan = planAction(action, own, input, view)
    for (const [name, why] of restrainedBy(action, plan, own)) restrained.set(name, why)
    return denied.length === 0 ? plan : { ...plan, traces: [...denied, ...plan.traces] }
  })
  const [only] = plans
  if (only !== undefined && plans.length === 1) return { ...only, calls: oneUpdate(only.calls) }
  return {
    calls: oneUpdate(eachOnce(plans.flatMap((plan) => plan.calls))),
    traces: plans.flatMap((plan) => plan.traces),
    withdrawn: plans.flatMap((plan) => plan.withdrawn),
    noted: plans.flatMap((plan) => plan.noted),
    againInMs: plans.flatMap((plan) => plan.againInMs),
    needs: plans.flatMap((plan) => plan.needs),
  }
}
