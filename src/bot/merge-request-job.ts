// The jobs of the merge-request queue, which evaluate merge requests, issues and projects.
import type { JobQueue } from '../queue/types.ts'
import { shortName } from '../rules/facts/definition/subject-ref.ts'
import type { MergeRequestRef } from '../rules/types.ts'

/** Names the merge request, the issue (iid below 0) or the project (iid 0), and nothing else: what happened is in the pending events. */
export type MergeRequestJob = MergeRequestRef

/** The deduplication key. */
export function mergeRequestKey({ project, iid }: MergeRequestRef): string {
  return `${project}${shortName({ iid })}`
}

/** One job of a merge request runs and at most one waits. Throws QueueUnavailable. */
export async function enqueueEvaluation(
  queue: JobQueue<MergeRequestJob>,
  { project, iid }: MergeRequestRef,
  priority?: number,
): Promise<void> {
  const data = { project, iid }
  await queue.add({ data, deduplicationKey: mergeRequestKey(data), priority })
}
