// Calls that are not made now: while a response is lost, and by the loop guard, which stops what something undoes.
// Withdrawals (see `isWithdrawal`) are made nevertheless.
import { isStanding } from '../../actions/definition/action.ts'
import { isCallOf, isCallOn } from '../../actions/definition/action-calls.ts'
import { actionNamed } from '../../actions/index.ts'
import type { FactReader } from '../../facts/reading/fact-view.ts'
import { fingerprint } from '../../language/values/fingerprint.ts'
import type { Json } from '../../language/values/rule-types.ts'
import type { ActionTrace, Call, DecideInput, Decision, Memory } from '../../types.ts'
import type { RuleEvaluation } from '../conditions/rules-in-force.ts'

/** How long a service may still work on a call that timed out: "not done" may mean "not yet". */
export const MAY_RUN_FOR_MS = 5_000

const MINUTE_MS = 60_000
/** How often the same call may be made within a time: the longer something undoes it, the less often. */
const limits = [
  { withinMs: 10 * MINUTE_MS, times: 5, period: 'ten minutes' },
  { withinMs: 60 * MINUTE_MS, times: 10, period: 'an hour' },
  { withinMs: 24 * 60 * MINUTE_MS, times: 20, period: 'a day' },
]
type Limit = (typeof limits)[number]
/** For calls that a series of events requests. Only an endless one is a loop: two bots may answer each other. */
const eventLimits: readonly Limit[] = limits.map((limit) => ({ ...limit, times: limit.times * 4 }))
const FEWEST = Math.min(...limits.map(({ times }) => times))
const REMEMBERED_MS = Math.max(...limits.map(({ withinMs }) => withinMs))
const MOST_REMEMBERED = Math.max(...eventLimits.map(({ times }) => times))
/** Parameters that may differ between repeats of a call. */
const texts = new Set(['body', 'title', 'description', 'text', 'url', 'key'])

/** Why a call waits, and until when. */
interface LoopGuard {
  reason: string
  /** Epoch milliseconds. */
  until: number
}

/** The id of the event of a rule's key; undefined for a state rule. */
type EventLookup = (key: string) => string | undefined

type Sent = NonNullable<Memory['sent']>

function signatureOf({ endpoint, params }: Pick<Call, 'endpoint' | 'params'>, cause: Json): string {
  const plain = Object.entries(params).filter(([key]) => !texts.has(key))
  return fingerprint([endpoint, Object.fromEntries(plain) as Json, ...(cause === null ? [] : [cause])])
}

/** The events that request a call; undefined if a state rule requests it, or no rule does any more. */
function eventsOf({ rules }: Call, eventOf: EventLookup): string[] | undefined {
  const ids = rules.flatMap((key) => eventOf(key) ?? [])
  return ids.length === 0 || ids.length < rules.length ? undefined : [...new Set(ids)].sort()
}

/** Changes of a rule's own note undo nothing. */
const changesOwnNote = (call: Call) => isCallOn(call, 'notes.update')

/** What such a call does cannot be undone, so it waits alone. */
const undoesNothing = (call: Call) => changesOwnNote(call) || call.to === 'chat'

/** Identifies equal calls of state rules and of standing requests. */
function loopKey(call: Call, eventOf: EventLookup): string | undefined {
  if (undoesNothing(call) || isWithdrawal(call)) return undefined
  const events = eventsOf(call, eventOf)
  if (events === undefined) return signatureOf(call, null)
  const stands = [call.action, ...(call.with ?? [])].some((name) => isStanding(actionNamed(name)))
  return stands ? signatureOf(call, events) : undefined
}

/** Identifies equal calls of any event, changes of the same note, and posts to the same chat. */
function seriesKey(call: Call, eventOf: EventLookup): string | undefined {
  if (undoesNothing(call)) return signatureOf(call, 'note')
  if (isWithdrawal(call)) return undefined
  return eventsOf(call, eventOf) === undefined ? undefined : signatureOf(call, 'events')
}

/** Why the call waits, if equal ones were made too often. */
function guardFor(
  { sent = {} }: Memory,
  { call, signature, why }: { call: Call; signature: string | undefined; why: string },
  all: readonly Limit[],
  now: number,
): LoopGuard | undefined {
  const times = signature === undefined ? undefined : sent[signature]
  if (times === undefined || times.length < FEWEST) return undefined
  const exceeded = all.flatMap((limit) => {
    const until = Date.parse(times.at(-limit.times) ?? '') + limit.withinMs
    return until > now ? [{ ...limit, until }] : []
  })
  const [last] = exceeded.sort((one, other) => other.until - one.until)
  if (last === undefined) return undefined
  const reason = `${call.action} was done ${last.times} times within ${last.period}, and ${why}`
  return { reason, until: last.until }
}

/** The first call that something keeps undoing: everything waits until the limit ends. */
function loopGuard(memory: Memory, calls: readonly Call[], now: number, eventOf: EventLookup): LoopGuard | undefined {
  if (memory.sent === undefined) return undefined
  const why = 'something undoes it each time: no rule acts until that stops'
  const guards = calls.map((call) => guardFor(memory, { call, signature: loopKey(call, eventOf), why }, limits, now))
  return guards.find((guard) => guard !== undefined)
}

/**
 * Calls that events request too often, and notes whose text changes too often. They wait, with all other calls of the
 * same rule for the same action.
 */
function tooManyCalls(memory: Memory, calls: readonly Call[], now: number, eventOf: EventLookup): Map<Call, LoopGuard> {
  const waiting = new Map<Call, LoopGuard>()
  if (memory.sent === undefined) return waiting
  for (const call of calls) {
    const cause = changesOwnNote(call) ? 'its text changes' : `${call.to === 'chat' ? 'rules' : 'events'} request it`
    const why = `${cause} again and again: it waits until that stops`
    const guard = guardFor(memory, { call, signature: seriesKey(call, eventOf), why }, eventLimits, now)
    if (guard === undefined) continue
    const names = [call.action, ...(call.with ?? [])]
    for (const each of calls)
      if (
        !waiting.has(each) &&
        each.rules.some((key) => call.rules.includes(key)) &&
        names.some((action) => isCallOf(each, action))
      )
        waiting.set(each, guard)
  }
  return waiting
}

/** When each call was made recently, including the calls made now. */
export function rememberSent({ sent = {} }: Memory, { rules, responses }: Pick<Decision, 'rules' | 'responses'>): Sent {
  const events = new Map(rules.flatMap(({ key, event }) => (event === undefined ? [] : [[key, event.id] as const])))
  const eventOf: EventLookup = (key) => events.get(key)
  // A call was also made if the service dropped a part of it.
  const done = responses.filter(({ result }) => result === 'done' || result === 'dropped')
  const now = Math.max(
    0,
    ...done.map(({ at }) => Date.parse(at)),
    ...Object.values(sent).flatMap((times) => times.map((at) => Date.parse(at))),
  )
  const next: Sent = {}
  for (const [signature, times] of Object.entries(sent)) {
    const kept = times.filter((at) => now - Date.parse(at) < REMEMBERED_MS)
    if (kept.length > 0) next[signature] = kept.slice(-MOST_REMEMBERED)
  }
  for (const { call, at } of done) {
    for (const signature of [loopKey(call, eventOf), seriesKey(call, eventOf)].filter((each) => each !== undefined))
      next[signature] = [...(next[signature] ?? []), at].slice(-MOST_REMEMBERED)
  }
  return next
}

/** The calls that are not made now, and why. */
export interface DeferredCalls {
  /** `againInMs`: when to decide again; empty if only a change ends the pause. */
  pause: { reason: string; againInMs: number[] } | undefined
  waiting: ReadonlyMap<Call, LoopGuard>
}

/** Defers calls while a response is lost, and calls that something keeps undoing. `off`: why Bellhop is turned off. */
export function deferCalls(
  { memory, now }: DecideInput,
  calls: readonly Call[],
  eventOf: EventLookup,
  off: string | undefined,
): DeferredCalls {
  const at = Date.parse(now)
  const limited = calls.filter((call) => !isWithdrawal(call))
  // An earlier call may still be running.
  const lost = memory.pending && {
    reason: `the response to ${memory.pending.call.action} was lost: its outcome is read first`,
    until: Date.parse(memory.pending.at) + MAY_RUN_FOR_MS,
  }
  const guard = lost ?? (off === undefined ? loopGuard(memory, limited, at, eventOf) : undefined)
  // Even if it is turned off: the pending events may show the outcome of the lost call, so they stay pending.
  const againInMs = guard === undefined ? [] : [Math.max(1000, guard.until - at)]
  const reason = off ?? guard?.reason
  return {
    pause: reason === undefined ? undefined : { reason, againInMs },
    waiting: tooManyCalls(memory, limited, at, eventOf),
  }
}

/** The calls that are made now, withdrawals first: a call that fails or has to wait never delays them. */
export function callsToMake(calls: readonly Call[], { pause, waiting }: DeferredCalls): Call[] {
  return withdrawalsFirst(pause === undefined ? calls.filter((call) => !waiting.has(call)) : calls.filter(isWithdrawal))
}

/** The outcomes of a rule's actions, with the reason if a call is deferred. */
export function tracesWithDeferred(
  traces: ActionTrace[],
  { key, occurrence }: RuleEvaluation,
  { pause, waiting }: DeferredCalls,
): ActionTrace[] {
  if (pause !== undefined) {
    // An event's request waits for a pause that ends by itself.
    const result = occurrence !== undefined && pause.againInMs.length > 0 ? 'waits' : 'blocked'
    return traces.map(({ queue: _landsNothing, ...trace }) =>
      trace.result !== 'call' || actionNamed(trace.action)?.limited === 'never'
        ? trace
        : { ...trace, result, detail: pause.reason },
    )
  }
  if (waiting.size === 0) return traces
  return traces.map((trace) => {
    if (trace.result !== 'call') return trace
    const guard = [...waiting].find(([call]) => isCallOf(call, trace.action) && call.rules.includes(key))?.[1]
    return guard === undefined ? trace : { ...trace, result: 'waits', detail: guard.reason }
  })
}

/** Whether the call withdraws an approval, a waiting merge or the success of a status, or leaves the merge queue. */
export function isWithdrawal({ action, rules, params }: Pick<Call, 'action' | 'rules' | 'params'>): boolean {
  const declared = actionNamed(action)
  return (
    declared?.limited === 'never' ||
    (declared?.limited === 'merge' && rules.length === 0) ||
    (action === 'status' && params.state !== 'success')
  )
}

/** The same calls, withdrawals first: a call that fails or may not be made yet never delays them. */
export function withdrawalsFirst(calls: readonly Call[]): Call[] {
  return [...calls.filter(isWithdrawal), ...calls.filter((call) => !isWithdrawal(call))]
}

/** A green pipeline does not count while a status of Bellhop is not success: somebody else replaced it just now. */
export function withUnmetStatus(view: FactReader, unmet: string | undefined): FactReader {
  if (unmet === undefined) return view
  const fact: FactReader['fact'] = (name) => {
    const value = view.fact(name)
    const isGreen = name === 'pipeline' && value.is === 'known' && value.value === 'success'
    return isGreen ? { ...value, value: 'failed', remark: unmet } : value
  }
  const actual: FactReader['actual'] = (name, say) => (name === 'pipeline' ? say() : view.actual(name, say))
  return { ...view, fact, actual }
}
