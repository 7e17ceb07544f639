// Enqueues what the journal shows unfinished: a queue that was flushed, or failed over, may have lost its jobs.
import type { MergeRequestRef } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { scheduleEvaluation } from '../evaluation/next-run.ts'
import { wakeAllMergeQueues } from '../merge-queue/wake.ts'
import { enqueueEvaluation } from '../queues.ts'

const atOnce = 500
/** Later changes are scheduled by a later call: it is repeated every hour. */
const aheadMs = 24 * 60 * 60_000
const mostDue = 10_000

/**
 * Enqueues merge requests with pending events, those that change at a time within a day, and merge queues. Where a job
 * is queued already, nothing is added. Throws JournalUnavailable and QueueUnavailable.
 */
export async function enqueueUnfinished(context: Context): Promise<void> {
  const { journal, now } = context
  const { mergeRequests, scheduledEvaluations } = context.queues
  await wakeAllMergeQueues(context)
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
