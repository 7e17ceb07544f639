// Adds an event to the pending events of its merge request and enqueues it. The same event from two hooks counts once.
import type { Logger } from 'pino'
import type { Journal } from '../../journal/types.ts'
import type { JobQueue } from '../../queue/types.ts'
import type { Event, MergeRequestRef } from '../../rules/types.ts'
import { traceparent } from '../../tracing/span.ts'
import { enqueueEvaluation, type MergeRequestJob } from '../evaluation/merge-request-job.ts'
import { logName } from '../reporting/log-names.ts'

export interface EnqueueOptions {
  journal: Pick<Journal, 'addPendingEvent' | 'pendingEvents' | 'names'>
  mergeRequests: JobQueue<MergeRequestJob>
  log: Logger
}

export interface IncomingEvent {
  deliveryId: string
  event: Event
  /** Equal for two deliveries of one event (api/event-content.ts); absent where the payload does not say. */
  content?: string | undefined
}

/** Throws JournalUnavailable and QueueUnavailable. */
export async function enqueueEvent(
  { journal, mergeRequests, log }: EnqueueOptions,
  ref: MergeRequestRef,
  { deliveryId, event, content }: IncomingEvent,
): Promise<void> {
  const trace = traceparent()
  const first = await journal.addPendingEvent(ref, {
    ...{ deliveryId, event },
    ...(content === undefined ? {} : { content }),
    ...(trace === undefined ? {} : { trace }),
  })
  if (first !== deliveryId) {
    const mergeRequest = await logName(journal, ref)
    log.info({ event: 'duplicate_event', delivery: deliveryId, first, mergeRequest }, 'duplicate event')
    const pending = await journal.pendingEvents(ref)
    if (happensOnce(event) && !pending.some((each) => each.deliveryId === first)) return
  }
  // Duplicates too: an action that was undone and repeated within a second looks like one.
  await enqueueEvaluation(mergeRequests, ref)
}

function happensOnce({ kind, note }: Event): boolean {
  return kind === 'merge_request.open' || (kind === 'note.create' && note !== undefined)
}
