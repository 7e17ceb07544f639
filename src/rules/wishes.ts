// What one rule's action comes to, taken alone: may it, can it, what is missing.
import type { Action, Outcome } from './action.ts'
import { heldByBrake } from './brake.ts'
import { judge } from './judge.ts'
import { fill, fillWhole, namesIn } from './templates.ts'
import { mayMerge } from './trust.ts'
import type { DecideInput, Json, RuleAction, RuleFileInForce, SourceName, Trace } from './types.ts'
import type { View } from './view.ts'

/** An action that a rule which holds asks for. */
export interface RuleWish extends RuleAction {
  key: string
  /** `<file>#<rule name>`, without the event. */
  rule: string
  file: RuleFileInForce
  /** With the rule's event, where it has one. */
  view: View
  doneBefore: boolean
  /** An event rule's: what was done for one event has no say over the next. */
  ofEvent: boolean
}

export interface Considered {
  outcome: Outcome
  conditions?: Trace
  /** The rule asks for it for this head, whatever else is in the way: a held action stays. */
  asks: boolean
}

export type Consideration = Considered | { needs: SourceName[] }

/** The facts that an action must know, or why it cannot, with those of them that are known. */
export function factsFor(
  names: readonly string[],
  view: Pick<View, 'fact'>,
): { facts: Record<string, Json> } | { facts: Record<string, Json>; absent: string } | { needs: SourceName[] } {
  const facts: Record<string, Json> = {}
  const needs = new Set<SourceName>()
  let absent: string | undefined
  for (const name of names) {
    const value = view.fact(name)
    if (value.is === 'known') facts[name] = value.value
    else if (value.is === 'unread') needs.add(value.source)
    else absent ??= `${name} is unknown: ${value.reason}`
  }
  if (absent !== undefined) return { facts, absent }
  return needs.size > 0 ? { needs: [...needs] } : { facts }
}

/** The action's own conditions: nothing when they hold. */
function ownConditions(action: Action, args: Json, view: View): Consideration | undefined {
  const required = action.requires?.(args) ?? []
  const judged = required.map((condition) => judge(condition, view))
  const needs = judged.flatMap((each) => each.needs)
  const read = judged.filter((each) => each.needs.length === 0).map((each) => each.trace)
  if (read.every((child) => child.verdict === 'true')) return needs.length > 0 ? { needs } : undefined
  const trace: Trace = {
    condition: 'all',
    verdict: read.some((child) => child.verdict === 'false') ? 'false' : 'unknown',
    wanted: 'all of these',
    actual: `${read.filter((child) => child.verdict === 'true').length} of ${required.length} hold`,
    children: read,
  }
  const value = (name: string) => {
    const found = view.fact(name)
    return found.is === 'known' ? found.value : undefined
  }
  const outcome = action.blocked?.({ trace, value }) ?? { result: 'held back', detail: 'a condition of its own does not hold' }
  // What only waits may turn out to be hopeless once the rest is known, or to wait for something else.
  return outcome.result === 'waits' && needs.length > 0 ? { needs } : { outcome, conditions: trace, asks: true }
}

function trusted(action: Action, wish: RuleWish, input: DecideInput, view: View): Consideration | undefined {
  if (action.policy !== 'merge') return undefined
  const trust = mayMerge(wish.file, input, view)
  if ('needs' in trust) return trust
  return trust.may ? undefined : { outcome: { result: 'held back', detail: trust.reason }, asks: trust.standing }
}

/** Whether something that the action did before may stand. */
const mayStand = ({ withdraw }: Action, { memory }: DecideInput) => withdraw?.stands(memory, []) === true

/** What waits for a condition of its own stays only while the rule may ask for it at all: a waiting merge does not outlive a change of the target. */
function keptWhileTrusted(own: Considered, trust: Consideration | undefined): Consideration {
  if (trust === undefined) return own
  return 'needs' in trust ? trust : { ...own, asks: trust.asks }
}

/** What every action is given: parameters, memory, the answers that were read, and the facts. */
export function inputOf(input: DecideInput, facts: Record<string, Json>) {
  const { project, iid } = input.mergeRequest
  const body = (name: string): unknown => {
    const answer = Object.hasOwn(input.answers, name) ? input.answers[name] : undefined
    // A list that was cut is as good as none: what is looked for may be in the rest.
    return answer?.ok === true && answer.complete ? answer.body : undefined
  }
  const fact = (name: string) => facts[name]
  const heard = input.events.at(-1)?.id
  return { mr: { id: project, merge_request_iid: iid }, memory: input.memory, bot: input.bot, heard, body, facts, fact }
}

/** The answers that the wish asks for beyond facts, and that were not read. */
function unread(action: Action, { args }: RuleWish, input: DecideInput): SourceName[] {
  return (action.reads?.(args) ?? []).filter((name) => !Object.hasOwn(input.answers, name))
}

/** The facts that stand in its texts: absent ones are said to be unknown. */
function unreadInTexts(action: Action, { args }: RuleWish, view: View): SourceName[] {
  return (action.texts?.(args) ?? []).flatMap(namesIn).flatMap((name) => {
    const value = view.publicFact(name)
    return value.is === 'unread' ? [value.source] : []
  })
}

/** What stands for a head was asked for the one that the event was about, and for its target branch: whoever asked has seen no later ones. */
function overtaken({ standing }: Action, { ofEvent, view: own }: RuleWish, view: View): Considered | undefined {
  if (!ofEvent || standing === undefined) return undefined
  const changed = (name: string, asked: string | undefined) => {
    const fact = asked === undefined ? undefined : view.fact(name)
    return fact?.is === 'known' && fact.value !== asked ? String(fact.value) : undefined
  }
  const { head: asked = '', target: wanted = '' } = own.event ?? {}
  const [head, target] = [changed('head', own.event?.head), changed('target_branch', own.event?.target)]
  if (head === undefined && target === undefined) return undefined
  const now = head === undefined ? `the target branch is ${target}` : `the head is ${head.slice(0, 8)}`
  const detail = `it was asked for ${head === undefined ? wanted : asked.slice(0, 8)}, and ${now} by now: it has to be asked for again`
  return { outcome: { result: 'held back', detail }, asks: false }
}

/** One wish, before it is compared with those of other rules. */
export function consider(action: Action, wish: RuleWish, input: DecideInput, view: View): Consideration {
  if (wish.doneBefore && action.keepsUp !== true)
    return { outcome: { result: 'done before', detail: 'done when the rule became true' }, asks: true }
  const late = overtaken(action, wish, view)
  if (late !== undefined) return late
  const own = ownConditions(action, wish.args, view)
  // Its own conditions first: they are what most often stands in the way, and trust costs the most to read.
  if (own !== undefined) return 'needs' in own || !mayStand(action, input) ? own : keptWhileTrusted(own, trusted(action, wish, input, view))
  const trust = trusted(action, wish, input, view)
  if (trust !== undefined && !('needs' in trust)) return trust
  const known = factsFor([...action.needs, ...(action.also?.(wish.args) ?? [])], view)
  if ('absent' in known) return { outcome: { result: 'held back', detail: known.absent }, asks: true }
  const needs = [
    ...[trust, known].flatMap((each) => (each !== undefined && 'needs' in each ? each.needs : [])),
    ...unread(action, wish, input),
    ...unreadInTexts(action, wish, wish.view),
  ]
  if (needs.length > 0 || !('facts' in known)) return { needs }
  // The registry has forgotten the type of arguments and facts; they were read by the action's own declarations.
  const given = {
    ...inputOf(input, known.facts),
    args: wish.args,
    rule: wish.rule,
    doneBefore: wish.doneBefore,
    fill: (text: string) => fill(text, wish.view),
    fillWhole: (text: string) => fillWhole(text, wish.view),
  } as Parameters<Action['calls']>[0]
  const outcome = action.calls(given)
  return { outcome: (outcome.result === 'call' ? heldByBrake(action, wish, input) : undefined) ?? outcome, asks: true }
}
