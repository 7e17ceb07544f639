// Enqueues what the journal shows unfinished or due: a queue that was flushed, or failed over, may have lost its jobs.
import type { MergeRequestRef } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { wakeAllMergeQueues } from '../merge-queue/wake.ts'
import { enqueueEvaluation } from '../queues.ts'

const atOnce = 500
/** At the exact time a condition such as "older than" is not true yet. */
const afterMs = 1_000
/** What is due is enqueued again after so long, unless it was evaluated. */
const repeatedMs = 10 * 60_000

/**
 * Enqueues merge requests with pending events, and merge queues. Where a job is queued already, nothing is added.
 * Throws JournalUnavailable and QueueUnavailable.
 */
export async function enqueueUnfinished(context: Context): Promise<void> {
  const { journal, queues } = context
  await wakeAllMergeQueues(context)
  let waiting: MergeRequestRef[]
  let last: MergeRequestRef | undefined
  do {
    waiting = await journal.events.waiting(last, atOnce)
    for (const each of waiting) await enqueueEvaluation(queues.mergeRequests, each)
    last = waiting.at(-1)
  } while (waiting.length === atOnce)
}

/** Enqueues merge requests whose verdicts changed with time. Throws JournalUnavailable and QueueUnavailable. */
export async function enqueueDue({ journal, queues, now }: Context): Promise<void> {
  const until = new Date(now() - afterMs)
  let due: MergeRequestRef[]
  do {
    due = await journal.mergeRequests.takeDue(until, { limit: atOnce, nextAt: new Date(now() + repeatedMs) })
    for (const each of due) await enqueueEvaluation(queues.mergeRequests, each)
  } while (due.length === atOnce)
}
