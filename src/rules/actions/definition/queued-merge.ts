// A merge by the merge queue: the calls to it, how an entry enters, what is in effect, and how it leaves.

import { removalDetails } from '../../../merge-queue/words.ts'
import { isSameJson } from '../../language/values/fingerprint.ts'
import { isMap } from '../../language/values/shapes.ts'
import type { Call, DecideInput, Memory, OwnCall } from '../../types.ts'
import type { AcceptArgs } from './accept-conditions.ts'
import { acceptMemory, changeAccept, LOOK_AGAIN_MS, type QueueEntry, type QueueRemoval } from './accept-memory.ts'
import { type ActionInput, type ActionOutcome, blockedBy, type JoinInput, oneCall, type PlannedCall } from './action.ts'

/** A merge that waits until one of the other kind has ended is planned again after this time. */
const GIVES_WAY_MS = 1_000

/** Whether the merge in effect is of the requested kind: by a queue, whatever its name, or waiting without a queue. */
export function keepsKind({ queue }: AcceptArgs, memory: Memory): boolean {
  const { queued, waitingSha } = acceptMemory(memory)
  if (queued !== undefined && queue === undefined) return false
  return waitingSha === undefined || queue === undefined
}

/** The outcome while a merge of the other kind is in effect and has to end first; undefined if there is none. */
export function goesFirst(args: AcceptArgs, memory: Memory): ActionOutcome | undefined {
  if (keepsKind(args, memory)) return undefined
  const { queued } = acceptMemory(memory)
  const what =
    queued === undefined ? 'the waiting merge is cancelled first' : `it leaves the merge queue ${queued.queue} first`
  const againInMs = queued === undefined ? LOOK_AGAIN_MS : GIVES_WAY_MS
  return { result: 'waits', detail: what, againInMs, handedOver: true }
}

type QueuedMergeInput = Pick<
  ActionInput<AcceptArgs, 'head'>,
  'args' | 'facts' | 'mr' | 'memory' | 'queue' | 'queueEntry'
>

/** Enters the merge queue, or replaces an entry that differs. */
export function planQueued({ args, facts, mr, memory, queue, queueEntry }: QueuedMergeInput): ActionOutcome {
  if (queue === undefined) return blockedBy('the merge queue of its target branch is unknown')
  const { squash, remove_source_branch } = args
  const { name, target, priority, preempts, frozen, frozenUntil, frozenBecause } = queue
  const entry: QueueEntry = {
    queue: name,
    target,
    sha: facts.head,
    priority,
    ...(preempts ? { preempts } : {}),
    frozen,
    ...(frozenUntil === undefined ? {} : { frozenUntil }),
    ...(frozenBecause === undefined ? {} : { frozenBecause }),
    ...(squash === undefined ? {} : { squash }),
    ...(remove_source_branch === undefined ? {} : { remove_source_branch }),
  }
  const { queued } = acceptMemory(memory)
  if (queued !== undefined && isSameJson({ ...queued }, { ...entry }) && queueEntry?.lost !== true)
    return {
      result: 'waits',
      detail: sayEntry(entry, queueEntry?.progress),
      handedOver: true,
      queue: name,
      waitsFor: frozen ? 'freeze' : 'queue',
    }
  const changes = queued !== undefined && queued.sha === entry.sha && queued.target === entry.target
  const call = enterCall(mr, entry)
  if (changes) return { ...oneCall(`update its entry in the merge queue ${name}`, call), changesEntry: true }
  return oneCall(`add ${facts.head.slice(0, 8)} to the merge queue ${name}`, call)
}

function sayEntry({ queue, frozen }: QueueEntry, progress: string | undefined): string {
  // The progress ends with a full stop, and a detail has none.
  const place = progress === undefined ? (frozen ? ', frozen' : '') : `: ${progress.replace(/\.$/, '')}`
  return `in the merge queue ${queue}${place}`
}

/** The call that leaves the merge queue; undefined if it is in none. */
export function leaveQueue(
  input: Pick<ActionInput, 'memory' | 'mr' | 'queueEntry'>,
): { detail: string; call: PlannedCall } | undefined {
  const { queued } = acceptMemory(input.memory)
  if (queued === undefined) return undefined
  const removal = removalNow(input)
  const why = removal === undefined ? '' : `: ${sayRemoval(removal)}`
  const call = { call: leaveCall(input.mr), effects: [], memo: removal && { ...removal } }
  return { detail: `leave the merge queue ${queued.queue}${why}`, call }
}

/** The operations of the merge queue, as rule tests name them. */
export const mergeQueueCalls = ['mergeQueue.enter', 'mergeQueue.leave'] as const satisfies OwnCall['endpoint'][]

export const enterCall = (mr: JoinInput['mr'], entry: QueueEntry): OwnCall => ({
  to: 'queue',
  endpoint: 'mergeQueue.enter',
  params: { ...mr, ...entry },
})

export const leaveCall = (mr: JoinInput['mr']): OwnCall => ({
  to: 'queue',
  endpoint: 'mergeQueue.leave',
  params: { ...mr },
})

/** The entry that a call enters; undefined for any other call. */
export function enteredBy({ endpoint, params }: Pick<Call, 'endpoint' | 'params'>): QueueEntry | undefined {
  if (endpoint !== 'mergeQueue.enter') return undefined
  const { id: _id, merge_request_iid: _iid, ...entry } = params
  return entry as unknown as QueueEntry
}

/** The stored fields of a requested entry, except its merge request and when it entered. */
export function termsOf({ sha, remove_source_branch, ...same }: QueueEntry) {
  const remove = remove_source_branch === undefined ? {} : { removeSourceBranch: remove_source_branch }
  return { ...same, head: sha, ...remove }
}

/** The memory after a call to the merge queue. Fails closed: a possible entry is remembered until it has left. */
export function rememberQueue(
  memory: Memory,
  call: Pick<Call, 'endpoint' | 'params' | 'memo'>,
  certain: boolean,
): Memory {
  const entry = enteredBy(call)
  if (entry !== undefined) {
    const { queueRemoval } = acceptMemory(memory)
    return changeAccept(memory, {
      queued: entry,
      queueRemoval: queueRemoval?.sha === entry.sha ? queueRemoval : undefined,
    })
  }
  if (call.endpoint !== 'mergeQueue.leave') return memory
  const removal = isMap(call.memo) ? { queueRemoval: call.memo as unknown as QueueRemoval } : {}
  return changeAccept(memory, { ...removal, ...(certain ? { queued: undefined } : {}) })
}

/** Why the merge queue removed the entry, in words. */
export const sayRemoval = ({ link, ...removal }: Pick<QueueRemoval, 'reason' | 'link' | 'words'>): string =>
  `${removalDetails(removal)}${link === undefined ? '' : ` (${link})`}`

/** The removal of the remembered entry, as the merge queue says now; undefined if it is not removed. */
export function removalNow({ memory, queueEntry }: Pick<DecideInput, 'memory' | 'queueEntry'>) {
  const { queued } = acceptMemory(memory)
  const removed = queueEntry?.removed
  if (queued === undefined || removed === undefined) return undefined
  // With `content_changed`, the removal is for the head that the queue's rebase made.
  const sha = removed.reason === 'content_changed' ? (memory.evaluated?.head ?? queued.sha) : queued.sha
  return { sha, target: queued.target, ...removed }
}
