// What accept remembers: the merge that waits at the service, the entry in a merge queue, and refused attempts, which it
// ends with a reason.
import type { CallData } from '../../../api/call-data.ts'
import type { RemovalReason } from '../../../merge-queue/types.ts'
import type { Call, CallResponse, Memory } from '../../types.ts'
import { actionMemory } from './action-memory.ts'

export interface QueueEntry {
  queue: string
  target: string
  sha: string
  priority: number
  frozen: boolean
  frozenUntil?: string
  squash?: boolean
  remove_source_branch?: boolean
}

/** Why the merge queue removed an entry. Blocks accept for that head until an event after `at` (ISO 8601) requests it. */
export interface QueueRemoval {
  sha: string
  reason: RemovalReason
  at: string
  link?: string
}

/** The arguments of the request for the waiting merge: how it waits, and whether it needs a pipeline. */
export type WaitTerms = {
  when?: string
  pipeline?: string
}

interface AcceptMemory {
  /** The head that the service merges when its pipeline succeeds, at Bellhop's request, or adds to its merge train. */
  waitingSha?: string
  waitingTerms?: WaitTerms
  /** When a call for it with an uncertain outcome was sent (ISO 8601): the merge may still begin to wait. */
  waitingMayLand?: string
  /** The entry in a merge queue that Bellhop made, or may have made. */
  queued?: QueueEntry
  queueRemoval?: QueueRemoval
  /** The merge that the service refused though its state allowed it: how often, and when last (ISO 8601). */
  refusedMerge?: { sha: string; call: string; status: number | null; times: number; at: string }
}

const kept = actionMemory<AcceptMemory>('accept')

export const acceptMemory = (memory: Pick<Memory, 'of'>): AcceptMemory => kept.of(memory) ?? {}

/** The memory with other values; undefined removes a value. */
export function changeAccept(memory: Memory, changes: AcceptMemory): Memory {
  const left = Object.entries({ ...acceptMemory(memory), ...changes }).filter(([, value]) => value !== undefined)
  return kept.put(memory, left.length === 0 ? undefined : Object.fromEntries(left))
}

/** They take more than a minute, because the service may be behind its own state. */
export const MOST_REFUSALS = 12
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
  const { refusedMerge: before } = acceptMemory(memory)
  const same = before?.sha === sha && before.call === nameOf(call)
  const times = (same ? before.times : 0) + 1
  return changeAccept(memory, { refusedMerge: { sha, call: nameOf(call), status, times, at } })
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
