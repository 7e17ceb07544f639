// Why nothing new is done for a while, whatever the rules say. Withdrawals are made all the same.
import { crowded, type EventOf, type Flipping, flipping } from './flips.ts'
import { isOf } from './one-update.ts'
import { waitsFor } from './pending.ts'
import { actionNamed } from './plan.ts'
import type { Judgement } from './rules-in-force.ts'
import type { ActionTrace, Call, DecideInput } from './types.ts'
import { isWithdrawal, withdrawalsFirst } from './withdrawal.ts'

export interface Pause {
  reason: string
  /** When to decide again; empty where only a change ends the pause. */
  againInMs: number[]
}

/** What holds calls back now. */
export interface HeldBack {
  pause: Pause | undefined
  /** Calls that wait, while all others are made. */
  waiting: ReadonlyMap<Call, Flipping>
}

/** A call whose response was lost, and calls that something undoes again and again. `off` says that Bellhop is turned off, and by what. */
export function holdBack(input: DecideInput, calls: readonly Call[], eventOf: EventOf, off: string | undefined): HeldBack {
  const { memory, now } = input
  const limited = calls.filter((call) => !isWithdrawal(call))
  return {
    pause: pauseOf(input, limited, eventOf, off),
    waiting: crowded(memory, limited, Date.parse(now), eventOf),
  }
}

function pauseOf({ memory, now }: DecideInput, calls: readonly Call[], eventOf: EventOf, off: string | undefined): Pause | undefined {
  const waits = memory.pending === undefined ? undefined : waitsFor(memory.pending, now)
  // What tells of a lost response is among the pending events, which are kept until it was settled.
  if (off !== undefined) return { reason: off, againInMs: waits?.againInMs ?? [] }
  if (waits !== undefined) return waits
  const flip = flipping(memory, calls, Date.parse(now), eventOf)
  return flip === undefined ? undefined : { reason: flip.reason, againInMs: [Math.max(1000, flip.until - Date.parse(now))] }
}

/** The calls that are made now, withdrawals first: a call that fails or has to wait never delays them. */
export function madeNow(calls: readonly Call[], { pause, waiting }: HeldBack): Call[] {
  return withdrawalsFirst(pause === undefined ? calls.filter((call) => !waiting.has(call)) : calls.filter(isWithdrawal))
}

/** What a rule's actions came to, with the reason where a call is held back. */
export function tracesHeldBack(traces: ActionTrace[], judgement: Judgement, { pause, waiting }: HeldBack): ActionTrace[] {
  return pause === undefined ? waitingTraces(traces, judgement, waiting) : pausedTraces(traces, pause, judgement.occurrence !== undefined)
}

/** What an event asks for waits for the end of a pause that ends by itself. */
function pausedTraces(traces: ActionTrace[], pause: Pause, ofEvent: boolean): ActionTrace[] {
  const result = ofEvent && pause.againInMs.length > 0 ? 'waits' : 'held back'
  return traces.map((trace) =>
    trace.result !== 'call' || actionNamed(trace.action)?.withdraws === true ? trace : { ...trace, result, detail: pause.reason },
  )
}

function waitingTraces(traces: ActionTrace[], { key }: Judgement, waiting: ReadonlyMap<Call, Flipping>): ActionTrace[] {
  if (waiting.size === 0) return traces
  const why = ({ action, result }: ActionTrace) =>
    result === 'call' ? [...waiting].find(([call]) => isOf(call, action) && call.rules.includes(key))?.[1] : undefined
  return traces.map((trace) => {
    const detail = why(trace)?.reason
    return detail === undefined ? trace : { ...trace, result: 'waits', detail }
  })
}
