// The calls that go to Bellhop's own merge queue: they look like API calls in decisions, and the service gets none of them.
import type { CallData } from '../../../api/call-data.ts'
import { removalText } from '../../../merge-queue/words.ts'
import { isMap } from '../../language/values/shapes.ts'
import type { DecideInput, Memory } from '../../types.ts'

export type QueueEntry = NonNullable<Memory['queued']>
export type QueueRemoval = NonNullable<Memory['queueRemoval']>

interface MergeQueueParams {
  'mergeQueue.enter': { id: number; merge_request_iid: number } & QueueEntry
  'mergeQueue.leave': { id: number; merge_request_iid: number }
}

export const mergeQueueCalls = ['mergeQueue.enter', 'mergeQueue.leave'] as const satisfies (keyof MergeQueueParams)[]

/** A call to the merge queue as data. */
export function mergeQueueCall<Name extends keyof MergeQueueParams>(
  name: Name,
  params: MergeQueueParams[Name],
): CallData {
  // No endpoint of the API has this name: code that sends calls asks isMergeQueueCall first.
  return { endpoint: name as string as CallData['endpoint'], params: { ...params } }
}

/** Whether the call goes to the merge queue, and not to the service. */
export const isMergeQueueCall = ({ endpoint }: Pick<CallData, 'endpoint'>): boolean =>
  (mergeQueueCalls as readonly string[]).includes(endpoint)

export const isQueueLeave = ({ endpoint }: Pick<CallData, 'endpoint'>): boolean =>
  (endpoint as string) === ('mergeQueue.leave' satisfies (typeof mergeQueueCalls)[number])

/** The entry that a call enters; undefined for any other call. */
export function enteredBy({ endpoint, params }: CallData): QueueEntry | undefined {
  if ((endpoint as string) !== ('mergeQueue.enter' satisfies (typeof mergeQueueCalls)[number])) return undefined
  const { id: _id, merge_request_iid: _iid, ...entry } = params
  return entry as unknown as QueueEntry
}

/** What is stored of a requested entry, besides its merge request and when it entered. */
export function termsOf({ sha, remove_source_branch, ...same }: QueueEntry) {
  const remove = remove_source_branch === undefined ? {} : { removeSourceBranch: remove_source_branch }
  return { ...same, head: sha, ...remove }
}

/** The memory after a call to the merge queue. Fails closed: what may have entered is remembered, until it has left. */
export function rememberQueue(memory: Memory, call: CallData & { memo?: unknown }, certain: boolean): Memory {
  const entry = enteredBy(call)
  if (entry !== undefined) {
    const { queueRemoval, ...kept } = memory
    return { ...kept, ...(queueRemoval?.sha === entry.sha ? { queueRemoval } : {}), queued: entry }
  }
  if (!isQueueLeave(call)) return memory
  const removal = isMap(call.memo) ? { queueRemoval: call.memo as unknown as QueueRemoval } : {}
  if (!certain) return { ...memory, ...removal }
  const { queued: _queued, ...left } = memory
  return { ...left, ...removal }
}

/** Why the merge queue removed the entry, in words. */
export const sayRemoval = ({ reason, link }: Pick<QueueRemoval, 'reason' | 'link'>): string =>
  `${removalText[reason]}${link === undefined ? '' : ` (${link})`}`

/** The removal of the remembered entry, as the merge queue says now; undefined where it is not removed. */
export function removalNow({
  memory: { queued, evaluated },
  queueEntry,
}: Pick<DecideInput, 'memory'> & { queueEntry?: DecideInput['queueEntry'] | undefined }): QueueRemoval | undefined {
  const removed = queueEntry?.removed
  if (queued === undefined || removed === undefined) return undefined
  // The head that the queue's rebase made is the one with another content.
  return { sha: removed.reason === 'content_changed' ? (evaluated?.head ?? queued.sha) : queued.sha, ...removed }
}
