// The merge that the service makes later at Bellhop's request: what is remembered, and which request leaves it waiting.
import { isMap } from '../../language/values/shapes.ts'
import type { Call, Memory } from '../../types.ts'
import type { AcceptArgs } from './accept-arguments.ts'
import { acceptMemory, changeAccept, type WaitTerms } from './accept-memory.ts'

/** How long a call without a certain outcome may still take effect. */
const MAY_LAND_FOR_MS = 60_000
/** When to look again for its effect. */
export const LOOK_AGAIN_MS = 5_000

/**
 * Whether the merge keeps waiting although the request is blocked. It does not if the service waits for less than the
 * request requires: the service could then merge what no rule asks for.
 */
export function keepsWait(args: AcceptArgs, memory: Memory): boolean {
  const { waitingTerms = {} } = acceptMemory(memory)
  // From the fewest requirements to the most.
  const kinds = ['none', 'of_fork', 'required']
  const needs = (pipeline = 'required') => kinds.indexOf(pipeline)
  const needsLess = needs(waitingTerms.pipeline) < needs(args.pipeline)
  const waitsForPeople = waitingTerms.when === 'checks_pass' && args.when !== 'checks_pass'
  return !needsLess && !waitsForPeople
}

/** The memory without the waiting merge. */
export const forgetWait = (memory: Memory): Memory =>
  changeAccept(memory, { waitingSha: undefined, waitingTerms: undefined, waitingMayLand: undefined })

/** The memory after a call for a waiting merge. Fails closed: a merge that may wait is remembered as Bellhop's own. */
export function rememberWait(memory: Memory, { params, memo }: Call, certain: boolean, at: string): Memory {
  if (typeof params.sha !== 'string') return memory
  return changeAccept(memory, {
    waitingSha: params.sha,
    waitingTerms: isMap(memo) ? (memo as WaitTerms) : undefined,
    waitingMayLand: certain ? undefined : at,
  })
}

/** Whether a call without a certain outcome may still make the merge wait. */
export function mayStillLand(memory: Memory, now: string): boolean {
  const { waitingMayLand } = acceptMemory(memory)
  return waitingMayLand !== undefined && Date.parse(now) - Date.parse(waitingMayLand) < MAY_LAND_FOR_MS
}
