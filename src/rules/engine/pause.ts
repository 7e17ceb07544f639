// Pauses: why no new call is made for a while, whatever the rules say. Withdrawals are still made.

import { isCallOf } from '../actions/definition/combined-update.ts'
import { actionNamed } from '../actions/index.ts'
import type { ActionTrace, Call, DecideInput } from '../types.ts'
import type { RuleEvaluation } from './conditions/rules-in-force.ts'
import { type EventLookup, type LoopGuard, loopGuard, tooManyCalls } from './limits/loop-guard.ts'
import { isWithdrawal, withdrawalsFirst } from './limits/withdrawal-calls.ts'
import { waitsFor } from './unconfirmed-call.ts'

export interface Pause {
  reason: string
  /** When to decide again; empty if only a change ends the pause. */
  againInMs: number[]
}

/** The calls that are not made now, and why. */
export interface DeferredCalls {
  pause: Pause | undefined
  waiting: ReadonlyMap<Call, LoopGuard>
}

/** Defers calls while a response is lost, and calls that something keeps undoing. `off`: why Bellhop is turned off. */
export function deferCalls(
  input: DecideInput,
  calls: readonly Call[],
  eventOf: EventLookup,
  off: string | undefined,
): DeferredCalls {
  const { memory, now } = input
  const limited = calls.filter((call) => !isWithdrawal(call))
  return {
    pause: pauseOf(input, limited, eventOf, off),
    waiting: tooManyCalls(memory, limited, Date.parse(now), eventOf),
  }
}

function pauseOf(
  { memory, now }: DecideInput,
  calls: readonly Call[],
  eventOf: EventLookup,
  off: string | undefined,
): Pause | undefined {
  const lost = memory.pending === undefined ? undefined : waitsFor(memory.pending, now)
  // The pending events may show the outcome of the lost call, so they stay pending until it is known.
  if (off !== undefined) return { reason: off, againInMs: lost?.againInMs ?? [] }
  if (lost !== undefined) return lost
  const guard = loopGuard(memory, calls, Date.parse(now), eventOf)
  return guard && { reason: guard.reason, againInMs: [Math.max(1000, guard.until - Date.parse(now))] }
}

/** The calls that are made now, withdrawals first: a call that fails or has to wait never delays them. */
export function callsToMake(calls: readonly Call[], { pause, waiting }: DeferredCalls): Call[] {
  return withdrawalsFirst(pause === undefined ? calls.filter((call) => !waiting.has(call)) : calls.filter(isWithdrawal))
}

/** The outcomes of a rule's actions, with the reason if a call is deferred. */
export function tracesWithDeferred(
  traces: ActionTrace[],
  evaluation: RuleEvaluation,
  { pause, waiting }: DeferredCalls,
): ActionTrace[] {
  return pause === undefined ? waitingTraces(traces, evaluation, waiting) : pausedTraces(traces, evaluation, pause)
}

/** An event's request waits for a pause that ends by itself. */
function pausedTraces(traces: ActionTrace[], { occurrence }: RuleEvaluation, pause: Pause): ActionTrace[] {
  const result = occurrence !== undefined && pause.againInMs.length > 0 ? 'waits' : 'blocked'
  return traces.map(({ queue: _landsNothing, ...trace }) =>
    trace.result !== 'call' || actionNamed(trace.action)?.limited === 'never'
      ? trace
      : { ...trace, result, detail: pause.reason },
  )
}

function waitingTraces(
  traces: ActionTrace[],
  { key }: RuleEvaluation,
  waiting: ReadonlyMap<Call, LoopGuard>,
): ActionTrace[] {
  if (waiting.size === 0) return traces
  return traces.map((trace) => {
    if (trace.result !== 'call') return trace
    const guard = [...waiting].find(([call]) => isCallOf(call, trace.action) && call.rules.includes(key))?.[1]
    return guard === undefined ? trace : { ...trace, result: 'waits', detail: guard.reason }
  })
}
