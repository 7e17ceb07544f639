// What accept remembers: the merge that waits at the service, the entry in a merge queue, and attempts that failed.
import type { RemovalReason } from '../../../merge-queue/types.ts'
import type { Memory } from '../../types.ts'
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

/** Why a merge queue removed an entry. Blocks accept for that head until an event after `at` (ISO 8601) requests it. */
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
