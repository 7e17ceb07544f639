// Enqueues the merge request of an event that was made pending. The same event from two hooks counts once.
import type { CountedEvent } from '../../journal/tables/events.ts'
import type { Event, MergeRequestRef } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { enqueueEvaluation } from '../merge-request-job.ts'
import { logName } from '../reporting/log-names.ts'

/** `counted`: what counts for the event. Throws JournalUnavailable and QueueUnavailable. */
export async function enqueueEvent(
  { journal, queues, log }: Context,
  { ref, deliveryId, event }: { ref: MergeRequestRef; deliveryId: string; event: Event },
  counted: CountedEvent | undefined,
): Promise<void> {
  if (counted !== undefined && counted.delivery !== deliveryId) {
    const [mergeRequest, first] = [await logName(journal, ref), counted.delivery]
    log.info({ event: 'duplicate_event', delivery: deliveryId, first, mergeRequest }, 'duplicate event')
    if (happensOnce(event) && !counted.isPending) return
  }
  // Duplicates too: an action that was undone and repeated within a second looks like one.
  await enqueueEvaluation(queues.mergeRequests, ref)
}

function happensOnce({ kind, note }: Event): boolean {
  return kind === 'merge_request.open' || (kind === 'note.create' && note !== undefined)
}
