// Enqueues what the journal shows unfinished: a queue that was flushed, or failed over, may have lost its jobs.
import type { Journal } from '../../journal/types.ts'
import type { JobQueue } from '../../queue/types.ts'
import type { MergeRequestRef } from '../../rules/types.ts'
import { enqueueEvaluation, type MergeRequestJob } from '../evaluation/merge-request-job.ts'
import { type ScheduledEvaluationJob, scheduleEvaluation } from '../evaluation/scheduled-evaluation.ts'
import { type WakeOptions, wakeAllMergeQueues } from '../merge-queue/wake.ts'

export interface UnfinishedOptions extends WakeOptions {
  journal: Pick<Journal, 'events' | 'mergeQueues' | 'mergeRequests'>
  mergeRequests: JobQueue<MergeRequestJob>
  scheduledEvaluations: JobQueue<ScheduledEvaluationJob>
  now: () => number
}

const atOnce = 500
/** Later changes are scheduled by a later call: it is repeated every hour. */
const aheadMs = 24 * 60 * 60_000
const mostDue = 10_000

/**
 * Enqueues merge requests with pending events, those that change at a time within a day, and merge queues. Where a job is
 * queued already, nothing is added. Throws JournalUnavailable and QueueUnavailable.
 */
export async function enqueueUnfinished(options: UnfinishedOptions): Promise<void> {
  const { journal, mergeRequests, scheduledEvaluations, now } = options
  await wakeAllMergeQueues(options)
  let waiting: MergeRequestRef[]
  let last: MergeRequestRef | undefined
  do {
    waiting = await journal.events.waiting(last, atOnce)
    for (const each of waiting) await enqueueEvaluation(mergeRequests, each)
    last = waiting.at(-1)
  } while (waiting.length === atOnce)
  for (const { mergeRequest, changesAt } of await journal.mergeRequests.due(new Date(now() + aheadMs), mostDue))
    await scheduleEvaluation(scheduledEvaluations, mergeRequest, changesAt.toISOString(), now())
}
