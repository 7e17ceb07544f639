// The calls that go to Bellhop's own merge queue, and what is remembered of them.
import { removalText } from '../../../merge-queue/words.ts'
import { isMap } from '../../language/values/shapes.ts'
import type { Call, DecideInput, Memory, OwnCall } from '../../types.ts'
import { acceptMemory, changeAccept, type QueueEntry, type QueueRemoval } from './accept-memory.ts'
import type { JoinInput } from './action.ts'

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
export const sayRemoval = ({ reason, link }: Pick<QueueRemoval, 'reason' | 'link'>): string =>
  `${removalText[reason]}${link === undefined ? '' : ` (${link})`}`

/** The removal of the remembered entry, as the merge queue says now; undefined if it is not removed. */
export function removalNow({
  memory,
  queueEntry,
}: Pick<DecideInput, 'memory' | 'queueEntry'>): QueueRemoval | undefined {
  const { queued } = acceptMemory(memory)
  const removed = queueEntry?.removed
  if (queued === undefined || removed === undefined) return undefined
  // With `content_changed`, the removal is for the head that the queue's rebase made.
  return { sha: removed.reason === 'content_changed' ? (memory.evaluated?.head ?? queued.sha) : queued.sha, ...removed }
}
