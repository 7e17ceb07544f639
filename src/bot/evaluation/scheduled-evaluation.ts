// Evaluates a merge request at a given time: a delayed job that only enqueues it.
import type { JobHandler, JobQueue } from '../../queue/types.ts'
import type { MergeRequestRef } from '../../rules/types.ts'
import { enqueueEvaluation, type MergeRequestJob } from '../jobs.ts'

const day = 24 * 60 * 60
const month = 30 * day

/**
 * Enqueues the merge request at a time. Where that is more than a day away it does so earlier, and that evaluation
 * schedules the next. Equal times of a merge request share one job. Throws QueueUnavailable.
 */
export async function scheduleEvaluation(
  scheduledEvaluations: JobQueue<MergeRequestJob>,
  mergeRequest: MergeRequestRef,
  at: string,
  now: number,
): Promise<void> {
  // A second later: at the exact time a condition such as "older than" is not true yet.
  const seconds = roundedDue(mergeRequest, Math.ceil(Date.parse(at) / 1000) + 1, now / 1000)
  const { project, iid } = mergeRequest
  // A deduplication key, not an id: the same time can come again when a clock is set back.
  const deduplicationKey = `timer-${project}-${iid}-${seconds}`
  await scheduledEvaluations.add({
    data: mergeRequest,
    deduplicationKey,
    delayMs: Math.max(1000, seconds * 1000 - now),
  })
}

/**
 * In seconds. Times over a day away are rounded down to one a day, over a month away to one a month. Each merge
 * request has its own offset, to spread the load.
 */
function roundedDue({ project, iid }: MergeRequestRef, due: number, now: number): number {
  if (due - now <= day) return due
  const step = due - now <= month ? day : month
  const offset = (project * 7_919 + iid * 104_729) % step
  return Math.floor(((step === day ? due : now + month) - offset) / step) * step + offset
}

/** The handler of the queue of scheduled evaluations. */
export function createScheduledEvaluationHandler(
  mergeRequests: JobQueue<MergeRequestJob>,
): JobHandler<MergeRequestJob> {
  return async ({ data }) => {
    await enqueueEvaluation(mergeRequests, data)
    return { outcome: 'done' }
  }
}
