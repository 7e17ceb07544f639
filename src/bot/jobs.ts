// Evaluation jobs of merge requests, issues and projects, and merge-queue jobs: of each, one runs and one may wait.
import type { MergeQueueRef } from '../journal/types.ts'
import type { JobQueue } from '../queue/types.ts'
import { shortName } from '../rules/facts/definition/subject-ref.ts'
import type { MergeRequestRef } from '../rules/types.ts'

/** Names only a merge request, an issue (iid below 0) or a project (iid 0): what happened is in the pending events. */
export type MergeRequestJob = MergeRequestRef

/** The deduplication key. */
export const mergeRequestKey = ({ project, iid }: MergeRequestRef) => `${project}${shortName({ iid })}`

/** Throws QueueUnavailable. */
export async function enqueueEvaluation(
  queue: JobQueue<MergeRequestJob>,
  { project, iid }: MergeRequestRef,
  priority?: number,
): Promise<void> {
  const data = { project, iid }
  await queue.add({ data, deduplicationKey: mergeRequestKey(data), priority })
}

/** Throws QueueUnavailable. */
export async function enqueueMergeQueue(
  queue: JobQueue<MergeQueueRef>,
  { project, target }: MergeQueueRef,
): Promise<void> {
  await queue.add({ data: { project, target }, deduplicationKey: `${project} ${target}` })
}
