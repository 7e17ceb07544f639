// What the parts of intake share: their context, and the delivery being read.
import type { LimitFunction } from 'p-limit'
import type { DeliveryParts } from '../../journal/tables/deliveries.ts'
import type { CountedEvent } from '../../journal/tables/events.ts'
import type { DeliveryRecord } from '../../journal/types.ts'
import { refName } from '../../rules/explain/ref-name.ts'
import { describeSpan } from '../../tracing/span.ts'
import type { Context } from '../context.ts'
import type { ReportUnseen } from './unseen-projects.ts'

export interface IntakeContext extends Context {
  /** Limits concurrent calls: more deliveries are read at once than the service should serve. */
  limitConcurrency: LimitFunction
  reportUnseen: ReportUnseen
}

export interface CurrentDelivery {
  record: Omit<DeliveryRecord, 'replays'>
  /** Stored with the result. The body is absent if it is stored already, or there is none. */
  parts?: Omit<DeliveryParts, 'pending'>
  /** A person replays it. */
  isReplay?: true
}

/**
 * Saves, counts and logs the result of a delivery, with the events that become pending; `level` if it is not news,
 * `path` of the event's project if it is known.
 * Returns what counts for each event. Throws JournalUnavailable.
 */
export async function saveResult(
  { journal, counting, log }: IntakeContext,
  { record: before, parts }: CurrentDelivery,
  result: Partial<CurrentDelivery['record']>,
  {
    level = 'info',
    pending,
    path,
  }: { level?: 'info' | 'debug'; pending?: DeliveryParts['pending']; path?: string | undefined } = {},
): Promise<CountedEvent[]> {
  const record = { ...before, ...result }
  const { id, state, event, reason, mergeRequests } = record
  const counted = await journal.deliveries.save(record, { ...parts, pending })
  counting?.delivery(record)
  describeSpan({ 'bellhop.delivery.state': state, 'bellhop.event': event?.kind })
  const names = mergeRequests.map((ref) => refName(ref.project === event?.project ? { ...ref, path } : ref))
  log[level](
    { event: 'delivery_read', delivery: id, state, kind: event?.kind, reason, mergeRequests: names },
    `delivery ${state}`,
  )
  return counted
}
