// The jobs that evaluate merge requests, issues and projects, and those that work a merge queue: one of each runs, and at most one waits.
import type { MergeQueueRef } from '../journal/types.ts'
import type { JobQueue, NewJob } from '../queue/types.ts'
import { shortName } from '../rules/facts/definition/subject-ref.ts'
import type { MergeRequestRef } from '../rules/types.ts'

/** Names the merge request, the issue (iid below 0) or the project (iid 0), and nothing else: what happened is in the pending events. */
export type MergeRequestJob = MergeRequestRef

/** The deduplication key. */
export const mergeRequestKey = ({ project, iid }: MergeRequestRef) => `${project}${shortName({ iid })}`

/** Throws QueueUnavailable. */
export async function enqueueEvaluation(
  queue: JobQueue<MergeRequestJob>,
  { project, iid }: MergeRequestRef,
  given: Pick<NewJob<unknown>, 'priority' | 'delayMs'> = {},
): Promise<void> {
  const data = { project, iid }
  await queue.add({ data, deduplicationKey: mergeRequestKey(data), ...given })
}

/** Throws QueueUnavailable. */
export async function enqueueMergeQueue(
  queue: JobQueue<MergeQueueRef>,
  { project, target }: MergeQueueRef,
): Promise<void> {
  await queue.add({ data: { project, target }, deduplicationKey: `${project} ${target}` })
}
