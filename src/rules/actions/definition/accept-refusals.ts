// Merges that the service refuses though it says that they are possible: accept ends its attempts with a reason.
import type { CallData } from '../../../api/call-data.ts'
import type { CallResponse, Memory } from '../../types.ts'

/** Over more than a minute: the service may be behind its own state (hosting-service.md §4.3). */
export const MOST_REFUSALS = 12
/** After them, one attempt in as long. */
const PAUSE_MS = 10 * 60_000

/** Whether the service itself is to merge later. */
export function asksToWait({ params }: Pick<CallData, 'params'>): boolean {
  return params.merge_when_pipeline_succeeds === true || params.auto_merge === true
}

const nameOf = (call: Pick<CallData, 'endpoint' | 'params'>) =>
  asksToWait(call) ? `${call.endpoint} later` : call.endpoint

/** The memory after a call that cannot be made now. */
export function memoryAfterRefusal(memory: Memory, { call, status, at }: CallResponse): Memory {
  const { sha } = call.params
  if (typeof sha !== 'string') return memory
  const before = memory.refusedMerge
  const same = before?.sha === sha && before.call === nameOf(call)
  return { ...memory, refusedMerge: { sha, call: nameOf(call), status, times: (same ? before.times : 0) + 1, at } }
}

/** Why a call is not made once more; undefined where it may be. */
export function endlessRefusal(call: CallData, { refusedMerge }: Memory, now: string): string | undefined {
  if (refusedMerge === undefined || refusedMerge.sha !== call.params.sha || refusedMerge.call !== nameOf(call))
    return undefined
  const { times, status, at } = refusedMerge
  if (times < MOST_REFUSALS || Date.parse(now) - Date.parse(at) >= PAUSE_MS) return undefined
  const other = call.endpoint === 'mergeTrains.add' ? 'have' : 'allow merges by a merge train only, or have'
  const reason = asksToWait(call)
    ? 'it may not merge when all checks pass, which needs GitLab 17.4 or newer'
    : `it may ${other} a check that it does not show`
  return `the service refused it ${times} times (${status ?? 'no status'}), though it shows nothing that blocks it: ${reason}`
}
