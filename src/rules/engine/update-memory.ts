// The memory after a decision, and the outcome of a call whose response was lost. Pure: never changes the old memory.
import { type Action, isOneWay, isStanding } from '../actions/definition/action.ts'
import { actionNamed, actions } from '../actions/index.ts'
import { postedStatuses } from '../actions/status.ts'
import { knownIn } from '../facts/definition/fact.ts'
import type { ViewedInput } from '../facts/reading/fact-view.ts'
import type {
  ActionTrace,
  Call,
  CallOutcome,
  CallResponse,
  Decision,
  FactValue,
  Memory,
  PendingCall,
  RuleTrace,
  SourceName,
} from '../types.ts'
import { MAY_RUN_FOR_MS, rememberSent } from './limits/deferred-calls.ts'
import {
  callsOf,
  rememberRaised,
  restrainedAfter,
  restrainedOneWayActions,
  ruleName,
  standingAfter,
} from './memory/standing-requests.ts'
import { inputOf } from './requested-actions.ts'

/** The memory of a merge request that was never evaluated. */
export function emptyMemory(): Memory {
  return { rules: {}, pushes: [] }
}

/** The call's effect is in place: from this call, or from before. */
function succeeded({ result }: CallResponse): boolean {
  return result === 'done' || result === 'already' || result === 'dropped'
}

/** Whether a one-way action is done, with or without calls. */
function isDone(rule: RuleTrace, { action, result, withdrawal }: ActionTrace, decision: Decision): boolean {
  if (withdrawal === true || !isOneWay(actionNamed(action) ?? {})) return false
  if (result === 'nothing_to_do' || result === 'done_before') return true
  if (result !== 'call') return false
  const { calls, responses } = callsOf(rule, action, decision)
  return calls.length > 0 && responses.filter(succeeded).length >= calls.length
}

function rememberRule(
  rule: RuleTrace,
  decision: Decision,
  before: Memory['rules'][string] | undefined,
): Memory['rules'][string] | undefined {
  const { fingerprint } = rule
  // Unknown is not false: a source that cannot be read for a while must not make the rule become true again afterwards.
  if (rule.verdict === 'unknown') return before
  if (rule.verdict === 'false') return { fingerprint, matched: false, done: [] }
  const doneBefore = rule.became ? [] : (before?.done ?? [])
  const restrained = restrainedOneWayActions(decision)
  const done = rule.actions.filter(
    (each) => isDone(rule, each, decision) || (each.result === 'overruled' && restrained.has(each.action)),
  )
  // What the service left out of the calls that the rule requested.
  const droppedNow = rule.actions.flatMap(({ action, result }) => {
    const responses = result === 'call' ? callsOf(rule, action, decision).responses : []
    return responses.flatMap(({ dropped }) => (dropped?.[action] === undefined ? [] : [[action, dropped[action]]]))
  })
  const dropped = { ...(rule.became ? {} : before?.dropped), ...Object.fromEntries(droppedNow) }
  return {
    fingerprint,
    matched: true,
    done: [...new Set([...doneBefore, ...done.map(({ action }) => action)])],
    dropped: unlessEmpty(dropped),
  }
}

/** What an event rule has done for its event. A refusal counts, because a rule acts on an event once. */
function triedFor(rule: RuleTrace, decision: Decision): string[] {
  const tried = rule.actions.filter(({ action, result, withdrawal }) => {
    if (withdrawal === true) return false
    // A standing request is evaluated as state.
    if (result === 'waits' || isStanding(actionNamed(action))) return false
    if (result !== 'call') return true
    const { calls, responses } = callsOf(rule, action, decision)
    return responses.filter((each) => succeeded(each) || each.result === 'refused').length >= calls.length
  })
  return tried.map(({ action }) => action)
}

/** What rules did for events that are still pending; processed events cannot come again. */
function rememberEvents(
  { events = {} }: Memory,
  decision: Decision,
  { ended }: ReturnType<typeof standingAfter>,
): NonNullable<Memory['events']> {
  const next: NonNullable<Memory['events']> = {}
  for (const rule of decision.rules) {
    const { event } = rule
    if (event === undefined) continue
    const name = ruleName(rule)
    const before = events[event.id]?.[name] ?? []
    const now = rule.verdict === 'true' ? triedFor(rule, decision) : []
    const done = [...new Set([...before, ...now, ...(ended.get(rule.key) ?? [])])]
    if (done.length > 0) next[event.id] = { ...next[event.id], [name]: done }
  }
  return next
}

/** A call that must not be repeated, and whose response was lost. */
function pendingAfter(memory: Memory, decision: Decision): Memory['pending'] {
  const last = decision.responses.at(-1)
  if (last?.result !== 'ambiguous' || last.call.before === undefined) return undefined
  const others = decision.responses.slice(0, -1)
  return {
    call: last.call,
    at: new Date(Date.parse(last.at) + last.tookMs).toISOString(),
    earlier: others.filter(succeeded).map(({ call }) => call),
    ifDone: remember(memory, { ...decision, responses: [...others, { ...last, result: 'done' }] }),
  }
}

/** Whether an event stays pending, because it requests something that is not in memory. */
export function staysPending(decision: Decision, { pending, standing = [] }: Memory): boolean {
  if (pending !== undefined || decision.calls.length > 0) return true
  return decision.rules.some((rule) => {
    const { event, actions } = rule
    const request = standing.find((each) => each.rule === ruleName(rule) && each.occurrence.id === event?.id)
    const waiting = actions.filter(({ result }) => result === 'waits')
    return event !== undefined && waiting.some(({ action }) => request?.actions.includes(action) !== true)
  })
}

/** Whether Bellhop holds anything that it may have to withdraw. */
export function holdsAnything(memory: Memory): boolean {
  return Object.values<Action>(actions).some(({ withdraw }) => withdraw?.isInEffect(memory, []) === true)
}

/** Whether a rule matched, or anything is requested or held, according to memory. */
export function keepsAnything(memory: Memory): boolean {
  const { rules, standing = [], pending } = memory
  return (
    pending !== undefined ||
    standing.length > 0 ||
    Object.values(rules).some(({ matched }) => matched) ||
    holdsAnything(memory)
  )
}

const unlessEmpty = <T extends object>(entries: T): T | undefined =>
  Object.keys(entries).length === 0 ? undefined : entries

/** The memory after a decision and the responses to its calls. Forgets rules that are no longer in force. */
export function remember(before: Memory, decision: Decision): Memory {
  const memory = decision.settled === undefined ? before : memoryAfterSettling(before, decision.settled)
  const rules = decision.rules.flatMap((rule) => {
    if (rule.event !== undefined) return []
    const known = Object.hasOwn(memory.rules, rule.key) ? memory.rules[rule.key] : undefined
    const after = rememberRule(rule, decision, known)
    return after === undefined ? [] : [[rule.key, after] as const]
  })
  const standing = standingAfter(memory, decision)
  const next: Memory = {
    ...memory,
    pending: pendingAfter(before, decision) ?? memory.pending,
    rules: Object.fromEntries(rules),
    events: unlessEmpty(rememberEvents(memory, decision, standing)),
    standing: unlessEmpty(standing.requests),
    sent: unlessEmpty(rememberSent(memory, decision)),
    raised: unlessEmpty(rememberRaised(memory, decision.responses)),
    restrained: unlessEmpty(restrainedAfter(memory, decision)),
  }
  const after = (decision.noticed ?? []).reduce(
    (each, { action, memo }) => actionNamed(action)?.notice?.(each, memo) ?? each,
    next,
  )
  return rememberCalls(after, decision.responses)
}

/** The memory after calls alone. */
export function rememberCalls(memory: Memory, responses: readonly CallResponse[]): Memory {
  return responses.reduce((each, response) => {
    const { call, result, at, created } = response
    if (result === 'not_now') return actionNamed(call.action)?.refused?.(each, response) ?? each
    const certain = succeeded(response)
    if (!certain && result !== 'ambiguous') return each
    return [call.action, ...(call.with ?? [])].reduce(
      (before, name) => actionNamed(name)?.remember?.(before, call, certain, at, created) ?? before,
      each,
    )
  }, memory)
}

const MOST_UNCERTAIN = 5

type SettledCall = NonNullable<Decision['settled']>

const sentences: Record<CallOutcome, string> = {
  done: 'its response was lost; it was done',
  not_done: 'its response was lost; it was not done',
  unknown: 'its response was lost, and the state does not tell whether it was done: it is not repeated',
}

/** The outcome of the pending call, or the sources to find it; undefined if there is none, or if it may still run. */
export function settlePendingCall(input: ViewedInput): { needs: SourceName[] } | SettledCall | undefined {
  const { pending } = input.memory
  if (pending === undefined) return undefined
  const outcome = reconcile(pending, input)
  if (typeof outcome === 'object') return outcome
  if (outcome === 'not_done' && Date.parse(input.now) - Date.parse(pending.at) < MAY_RUN_FOR_MS) return undefined
  return {
    call: pending.call,
    outcome,
    detail: `${pending.call.action} (${pending.call.endpoint}) at ${pending.at}: ${sentences[outcome]}`,
  }
}

/** Several actions may share one call, which was done completely or not at all. */
function reconcile({ call, earlier }: PendingCall, input: ViewedInput): CallOutcome | { needs: SourceName[] } {
  const reconciliations = [call.action, ...(call.with ?? [])].flatMap((name) => actionNamed(name)?.reconcile ?? [])
  const given = inputOf(input, {})
  const asked: FactValue[] = []
  const fact = (name: string) => {
    const value = input.view.fact(name)
    asked.push(value)
    return knownIn(value)
  }
  const verdicts = reconciliations.map((each) => each(call, { ...given, fact, earlier }))
  if (verdicts.length === 0 || asked.some(({ is }) => is === 'absent')) return 'unknown'
  const needs = new Set([...asked.flatMap((each) => (each.is === 'unread' ? [each.source] : [])), ...given.unread])
  if (needs.size > 0) return { needs: [...needs] }
  // One visible effect proves the whole call. If one effect is unknown, the call is not repeated.
  return (['done', 'unknown'] as const).find((each) => verdicts.includes(each)) ?? 'not_done'
}

/** The memory once the outcome of the pending call is known. A call with the outcome `unknown` is not repeated. */
export function memoryAfterSettling(memory: Memory, { outcome, detail }: SettledCall): Memory {
  const { pending, ...without } = memory
  if (pending === undefined || outcome === 'not_done') return without
  // What was remembered since then stays: a status may have failed.
  const { pushes, activeAt } = memory
  const ifDone = { ...pending.ifDone, pushes, activeAt: activeAt ?? pending.ifDone.activeAt }
  const statuses = postedStatuses.of(memory)
  const after = statuses === undefined ? ifDone : postedStatuses.put(ifDone, statuses)
  if (outcome === 'done') return after
  return { ...after, uncertain: [...(memory.uncertain ?? []), { at: pending.at, detail }].slice(-MOST_UNCERTAIN) }
}

/** A text for each action; undefined if nothing is known to be left out. */
export function droppedParts(call: Call, answer: unknown): Record<string, string> | undefined {
  const found = [call.action, ...(call.with ?? [])].flatMap((name) => {
    const words = actionNamed(name)?.answered?.(call, answer).dropped
    return words === undefined ? [] : [[name, words] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}
