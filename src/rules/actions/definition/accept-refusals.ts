// Merges that the service refuses though it says that they are possible: accept ends its attempts with a reason.
import type { CallData } from '../../../api/call-data.ts'
import type { Call, CallResponse, Memory } from '../../types.ts'
import type { AcceptArgs } from './accept-arguments.ts'
import { acceptMemory, changeAccept } from './accept-memory.ts'

/** They take more than a minute, because the service may be behind its own state. */
export const MOST_REFUSALS = 12
/** How often one head is added to a merge train that drops or refuses it, if no pipeline counts. */
const MOST_ADDITIONS = 3
/** After that many refusals, one attempt in this time. */
const PAUSE_MS = 10 * 60_000

/** Whether the service itself is to merge later. */
export function asksToWait({ params }: Pick<Call, 'params'>): boolean {
  return params.merge_when_pipeline_succeeds === true || params.auto_merge === true
}

/** Whether the call merges at once, which fulfils a standing request. */
export const mergesNow = (call: Pick<Call, 'endpoint' | 'params'>): boolean =>
  call.endpoint === 'mergeRequests.accept' && !asksToWait(call)

const nameOf = (call: Pick<Call, 'endpoint' | 'params'>) =>
  asksToWait(call) ? `${call.endpoint} later` : call.endpoint

/** The memory after a call that cannot be made now. */
export function memoryAfterRefusal(memory: Memory, { call, status, at }: CallResponse): Memory {
  const { sha } = call.params
  if (typeof sha !== 'string') return memory
  const { refusedMerge: before, addedToTrain } = acceptMemory(memory)
  const same = before?.sha === sha && before.call === nameOf(call)
  const isOnceMore = call.endpoint === 'mergeTrains.add' && addedToTrain?.sha === sha
  const counted = isOnceMore ? rememberAddition(memory, call) : memory
  const times = (same ? before.times : 0) + 1
  return changeAccept(counted, { refusedMerge: { sha, call: nameOf(call), status, times, at } })
}

/** Why a call is not made once more; undefined if it may be. */
export function endlessRefusal(call: CallData, memory: Memory, now: string): string | undefined {
  const { refusedMerge } = acceptMemory(memory)
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

/** The memory after it was added to a merge train, or refused after that. */
export function rememberAddition(memory: Memory, { params: { sha } }: Pick<Call, 'params'>): Memory {
  if (typeof sha !== 'string') return memory
  const { addedToTrain: before } = acceptMemory(memory)
  return changeAccept(memory, { addedToTrain: { sha, times: (before?.sha === sha ? before.times : 0) + 1 } })
}

/** The memory after Bellhop itself took it off the train: the train did not drop it. */
export const forgetAdditions = (memory: Memory): Memory => changeAccept(memory, { addedToTrain: undefined })

/**
 * Why it is not added to its merge train once more; undefined if it may be. A pipeline that failed there already blocks
 * a request, unless that needs no pipeline.
 */
export function endlessTrain({ pipeline }: AcceptArgs, memory: Memory, head: string): string | undefined {
  const { addedToTrain } = acceptMemory(memory)
  if (pipeline !== 'none' || addedToTrain?.sha !== head || addedToTrain.times < MOST_ADDITIONS) return undefined
  return `the merge train did not keep this head in ${addedToTrain.times} tries, which its system notes explain: push a change, or add it yourself`
}
