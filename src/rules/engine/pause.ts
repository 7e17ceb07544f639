// Pauses: why no new call is made for a while, whatever the rules say. Withdrawals are still made.

import { isCallOf } from '../actions/definition/combined-update.ts'
import { actionNamed } from '../actions/index.ts'
import type { ActionTrace, Call, DecideInput } from '../types.ts'
import type { RuleEvaluation } from './conditions/rules-in-force.ts'
import { type EventOf, type LoopGuard, loopGuard, tooManyCalls } from './limits/loop-guard.ts'
import { isWithdrawal, withdrawalsFirst } from './memory/withdrawals.ts'
import { waitsFor } from './unconfirmed-call.ts'

export interface Pause {
  reason: string
  /** When to decide again; empty where only a change ends the pause. */
  againInMs: number[]
}

/** What holds calls back. */
export interface HeldBack {
  pause: Pause | undefined
  /** Calls that wait, while all others are made. */
  waiting: ReadonlyMap<Call, LoopGuard>
}

/** Finds calls whose response was lost, and calls that something keeps undoing. `off` is why Bellhop is turned off. */
export function holdBack(
  input: DecideInput,
  calls: readonly Call[],
  eventOf: EventOf,
  off: string | undefined,
): HeldBack {
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
  eventOf: EventOf,
  off: string | undefined,
): Pause | undefined {
  const waits = memory.pending === undefined ? undefined : waitsFor(memory.pending, now)
  // The pending events may show the outcome of the lost call: they stay until it is settled.
  if (off !== undefined) return { reason: off, againInMs: waits?.againInMs ?? [] }
  if (waits !== undefined) return waits
  const flip = loopGuard(memory, calls, Date.parse(now), eventOf)
  return flip === undefined
    ? undefined
    : { reason: flip.reason, againInMs: [Math.max(1000, flip.until - Date.parse(now))] }
}

/** The calls that are made now, withdrawals first: a call that fails or has to wait never delays them. */
export function madeNow(calls: readonly Call[], { pause, waiting }: HeldBack): Call[] {
  return withdrawalsFirst(pause === undefined ? calls.filter((call) => !waiting.has(call)) : calls.filter(isWithdrawal))
}

/** The outcomes of a rule's actions, with the reason if a call is held back. */
export function tracesHeldBack(
  traces: ActionTrace[],
  evaluation: RuleEvaluation,
  { pause, waiting }: HeldBack,
): ActionTrace[] {
  return pause === undefined
    ? waitingTraces(traces, evaluation, waiting)
    : pausedTraces(traces, pause, evaluation.occurrence !== undefined)
}

/** An event's request waits for a pause that ends by itself. */
function pausedTraces(traces: ActionTrace[], pause: Pause, ofEvent: boolean): ActionTrace[] {
  const result = ofEvent && pause.againInMs.length > 0 ? 'waits' : 'blocked'
  return traces.map((trace) =>
    trace.result !== 'call' || actionNamed(trace.action)?.withdraws === true
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
  const why = ({ action, result }: ActionTrace) =>
    result === 'call'
      ? [...waiting].find(([call]) => isCallOf(call, action) && call.rules.includes(key))?.[1]
      : undefined
  return traces.map((trace) => {
    const detail = why(trace)?.reason
    return detail === undefined ? trace : { ...trace, result: 'waits', detail }
  })
}
