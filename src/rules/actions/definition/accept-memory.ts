// What accept remembers: the merge that waits at the service, the entry in a merge queue, and attempts that failed.

import type { CallData } from '../../../api/call-data.ts'
import type { Entry, Removal } from '../../../merge-queue/types.ts'
import { isMap } from '../../language/values/shapes.ts'
import type { Call, CallResponse, Memory } from '../../types.ts'
import type { AcceptArgs } from './accept-conditions.ts'
import { actionMemory } from './action.ts'

export interface QueueEntry extends Omit<Entry, 'iid' | 'head' | 'since'> {
  queue: string
  target: string
  sha: string
  squash?: boolean
  remove_source_branch?: boolean
}

/** Why a merge queue removed an entry. Blocks accept for that head until an event after `at` (ISO 8601) requests it. */
export interface QueueRemoval extends Pick<Removal, 'reason' | 'link' | 'words'> {
  sha: string
  /** The target branch of the queue; absent if an earlier version stored it. */
  target?: string
  at: string
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
  /** How often Bellhop added this head to its merge train, or tried to, since it last took it off itself. */
  addedToTrain?: { sha: string; times: number }
}

const stored = actionMemory<AcceptMemory>('accept')

export const acceptMemory = (memory: Pick<Memory, 'of'>): AcceptMemory => stored.of(memory) ?? {}

/** The memory with other values; undefined removes a value. */
export function changeAccept(memory: Memory, changes: AcceptMemory): Memory {
  const left = Object.entries({ ...acceptMemory(memory), ...changes }).filter(([, value]) => value !== undefined)
  return stored.put(memory, left.length === 0 ? undefined : Object.fromEntries(left))
}

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
