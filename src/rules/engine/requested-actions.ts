// The outcome of one rule's action, before other rules are considered: allowed, possible, or what is missing.
import {
  type Action,
  type ActionInput,
  type ActionOutcome,
  type ActionRequest,
  blockedBy,
  isStanding,
  type JoinInput,
} from '../actions/definition/action.ts'
import { targetOf } from '../actions/definition/action-calls.ts'
import { knownIn } from '../facts/definition/fact.ts'
import type { FactReader, ViewedInput } from '../facts/reading/fact-view.ts'
import { namesIn, type TextFacts } from '../language/templates.ts'
import type { Condition, Json, RuleAction, RuleFileInForce } from '../language/values/rule-types.ts'
import type { DecideInput, SourceName, Trace } from '../types.ts'
import {
  conditionsReadLast,
  heldByFreeze,
  keepsEffectWhileUnmet,
  queueTermsFor,
  refused,
  refusedByOldApprovals,
  refusedByQueue,
} from './accept.ts'
import { evaluateCondition } from './conditions/evaluate-condition.ts'
import { limitedOutcome, mayMerge } from './limits/trust.ts'
import { evaluatedVersion, movedSince } from './memory/standing-requests.ts'

export interface RequestedAction extends Omit<ActionRequest, 'file'>, Pick<RuleAction, 'action' | 'refused'> {
  key: string
  /** `<file>#<rule name>`, without the event. */
  rule: string
  conditions: Condition
  file: RuleFileInForce
  view: FactReader
  texts: TextFacts
  /** What the service left out when the action was done. */
  dropped?: string
  /** An event rule requests it: actions for one event do not affect the next. */
  ofEvent: boolean
}

export interface ActionPlan {
  outcome: ActionOutcome
  conditions?: Trace
  /** The rule requests it for this head, even if something blocks it: a held action stays. */
  isRequested: boolean
  /** Epoch milliseconds: when the plan may change without an event. */
  changesAt?: number
}

type ActionConsideration = ActionPlan | { needs: SourceName[] }

/** The facts that an action needs; or the sources to read; or why one is absent. */
export function factsFor(
  names: readonly string[],
  view: Pick<FactReader, 'fact'>,
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

/** The action's own conditions; undefined if they are met. */
function ownConditions(action: Action, request: RequestedAction, input: ViewedInput): ActionConsideration | undefined {
  const { view } = input
  const unmet = unmetOf(action, action.requires?.(request.args, view) ?? [], view)
  if (unmet !== undefined && ('needs' in unmet || !mayBeInEffect(action, input))) return unmet
  const then = unmetOf(action, conditionsReadLast(action), view)
  if (then === undefined) return unmet
  if ('needs' in then) {
    // They are seldom false, and then this is all that is left to read.
    const trust = unmet === undefined ? checkTrust(action, request, input) : undefined
    return trust !== undefined && 'needs' in trust ? { needs: [...then.needs, ...trust.needs] } : then
  }
  // The service, which merges later, does not check these. Fails closed: if they are unknown, the effect ends too.
  return { ...(unmet ?? then), isRequested: false }
}

function unmetOf(action: Action, required: readonly Condition[], view: FactReader): ActionConsideration | undefined {
  const results = required.map((condition) => evaluateCondition(condition, view))
  const needs = results.flatMap((each) => each.needs)
  const read = results.filter((each) => each.needs.length === 0).map((each) => each.trace)
  if (read.every((child) => child.verdict === 'true')) return needs.length > 0 ? { needs } : undefined
  const trace: Trace = {
    condition: 'all',
    verdict: read.some((child) => child.verdict === 'false') ? 'false' : 'unknown',
    expected: 'all of these',
    actual: `${read.filter((child) => child.verdict === 'true').length} of ${required.length} matched`,
    children: read,
  }
  const value = (name: string) => knownIn(view.fact(name))
  const outcome = action.blocked?.({ trace, value }) ?? blockedBy('a condition of its own is not true')
  // The other conditions may turn out false, or wait for something else.
  if (outcome.result === 'waits' && needs.length > 0) return { needs }
  const conditions = { ...trace, children: results.map((each) => each.trace) }
  return { outcome, conditions, isRequested: true }
}

/** Whether its file may request it, and no freeze by hand holds it. */
function checkTrust(action: Action, request: RequestedAction, input: ViewedInput): ActionConsideration | undefined {
  if (action.limited !== 'merge') return undefined
  const trust = mayMerge(request.file, input)
  if ('needs' in trust) return trust
  if (!trust.may) return { outcome: blockedBy(trust.reason), isRequested: trust.keepsEffect }
  return heldByFreeze(action, request, input)
}

/** A blocked request keeps an earlier effect only if the action allows it. */
function keptWhileUnmet(
  own: ActionConsideration,
  action: Action,
  { args }: RequestedAction,
  { memory }: DecideInput,
): ActionConsideration {
  if ('needs' in own || keepsEffectWhileUnmet(action, args, memory)) return own
  return { ...own, isRequested: false }
}

const mayBeInEffect = ({ withdraw }: Action, { memory }: DecideInput) => withdraw?.isInEffect(memory, []) === true

export function inputOf(input: DecideInput, facts: Record<string, Json>): JoinInput {
  const { project, iid } = input.mergeRequest
  const body = (name: string): unknown => {
    const found = answer(name)
    // A list that was cut counts as unread: the entry may be in the rest.
    return found?.ok === true && found.complete ? found.body : undefined
  }
  const fact = (name: string) => facts[name]
  const unread = new Set<SourceName>()
  const answer = (name: string) => {
    if (Object.hasOwn(input.answers, name)) return input.answers[name]
    unread.add(name)
    return undefined
  }
  const { memory, bot, now, queueEntry, policy, page } = input
  return {
    mr: { id: project, merge_request_iid: iid },
    target: targetOf(input.mergeRequest),
    memory,
    bot,
    now,
    queueEntry,
    policy,
    page,
    body,
    answer,
    unread,
    // The registry has no types of facts; the action's own declaration reads them.
    facts: facts as never,
    fact,
  }
}

/** The facts in its texts; an absent one is written as unknown. */
function unreadInTexts(action: Action, { args, texts }: RequestedAction): SourceName[] {
  return (action.template?.texts?.(args) ?? []).flatMap(namesIn).flatMap((name) => {
    const value = texts.publicFact(name)
    return value.is === 'unread' ? [value.source] : []
  })
}

/** Some requests are for the head and the target branch of their event: their author saw no later ones. */
function movedRequest(action: Action, request: RequestedAction, view: FactReader): ActionPlan | undefined {
  const { event } = request.view
  if (!request.ofEvent || event === undefined || (!isStanding(action) && action.limited !== 'maintainers'))
    return undefined
  const moved = movedSince(event, evaluatedVersion(view))
  if (moved === undefined) return undefined
  const name = moved.fact === 'head' ? 'head' : 'target branch'
  return refused(
    `it was requested for the ${name} ${moved.requested}, and the ${name} is now ${moved.actual}: request it again`,
  )
}

/** What a request that was done before comes to; undefined if its calls run nevertheless. */
function doneOutcome({ when }: Action, { args, doneBefore, dropped }: RequestedAction): ActionOutcome | undefined {
  const how = typeof when === 'function' ? when(args) : when
  if (!doneBefore || how === 'fresh' || how === 'followed') return undefined
  // What was dropped is blocked, and is not sent again; the rule keeps its place before later ones.
  if (dropped !== undefined) return { result: 'blocked', detail: dropped, handedOver: true }
  return { result: 'done_before', detail: 'done when the rule became true' }
}

/** Plans one requested action, before it is compared with those of other rules. */
export function considerAction(action: Action, request: RequestedAction, input: ViewedInput): ActionConsideration {
  const { view } = input
  const done = doneOutcome(action, request)
  if (done !== undefined) return { outcome: done, isRequested: true }
  const moved = movedRequest(action, request, view)
  if (moved !== undefined) return moved
  const unmet = ownConditions(action, request, input)
  // Its own conditions first: they block most often, and trust costs the most to read.
  if (unmet !== undefined) {
    const own = keptWhileUnmet(unmet, action, request, input)
    if ('needs' in own || !mayBeInEffect(action, input)) return own
    // A held action stays only while the rule may request it: a waiting merge ends when the target branch changes.
    const trust = checkTrust(action, request, input)
    if (trust === undefined || 'needs' in trust) return trust ?? own
    return { ...own, isRequested: own.isRequested && trust.isRequested }
  }
  const refusal = refusedByQueue(action, request, input) ?? refusedByOldApprovals(action, input)
  if (refusal !== undefined) return refusal
  const trust = checkTrust(action, request, input)
  if (trust !== undefined && !('needs' in trust)) return trust
  const queue = queueTermsFor(action, request, input)
  const known = factsFor([...action.needs, ...(action.reads?.facts?.(request.args, input) ?? [])], view)
  if ('absent' in known)
    return keptWhileUnmet({ outcome: blockedBy(known.absent), isRequested: true }, action, request, input)
  const { args, file, key: requestKey, rule, doneBefore, dropped, conditions, texts } = request
  const answers = action.reads?.answers?.(args) ?? []
  const needs = [
    ...[trust, known, queue].flatMap((each) => (each !== undefined && 'needs' in each ? each.needs : [])),
    ...answers.filter((name) => !Object.hasOwn(input.answers, name)),
    ...unreadInTexts(action, request),
  ]
  if (needs.length > 0 || !('facts' in known)) return { needs }
  const inQueue = queue !== undefined && 'terms' in queue ? queue : undefined
  const anyGroup = input.policy?.groups === 'any' ? 'everywhere' : file.trust === 'operator' ? 'in the rule' : undefined
  // The registry has no types of arguments and facts; the action's own declarations read them.
  const given: ActionInput = {
    ...inputOf(input, known.facts),
    args,
    requestKey,
    rule,
    doneBefore,
    dropped,
    conditions,
    texts,
    anyGroup,
    queue: inQueue?.terms,
  }
  const outcome = action.calls(given)
  if (given.unread.size > 0) return { needs: [...given.unread] }
  if (outcome.result !== 'call')
    return { outcome, isRequested: true, changesAt: outcome.changesAt ?? inQueue?.changesAt }
  const calls = outcome.calls.map((call) => ({ effects: action.effects?.(args, given) ?? [], ...call }))
  const limited = outcome.changesEntry === true ? undefined : limitedOutcome(action, request, input)
  if (limited !== undefined) return keptWhileUnmet({ outcome: limited, isRequested: true }, action, request, input)
  return { outcome: { ...outcome, calls }, isRequested: true, changesAt: inQueue?.changesAt }
}
