// The jobs of the queue `mergeQueues`: each names one merge queue, and nothing else.
import type { MergeQueueRef } from '../journal/types.ts'
import type { JobQueue } from '../queue/types.ts'

export type MergeQueueJob = MergeQueueRef

/** The deduplication key. */
const mergeQueueKey = ({ project, target }: MergeQueueRef) => `${project} ${target}`

/** One job of a merge queue runs and at most one waits. Throws QueueUnavailable. */
export async function enqueueMergeQueue(
  queue: JobQueue<MergeQueueJob>,
  { project, target }: MergeQueueRef,
): Promise<void> {
  const data = { project, target }
  await queue.add({ data, deduplicationKey: mergeQueueKey(data) })
}
