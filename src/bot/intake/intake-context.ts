// What the parts of intake share: its dependencies, and the delivery being read.
import type { LimitFunction } from 'p-limit'
import type { Client } from '../../client/create-client.ts'
import type { DeliveryParts } from '../../journal/tables/deliveries.ts'
import type { CountedEvent } from '../../journal/tables/events.ts'
import type { DeliveryRecord, Journal, MergeRequestName } from '../../journal/types.ts'
import type { JobQueue } from '../../queue/types.ts'
import { describeSpan } from '../../tracing/span.ts'
import type { HeavyProjects } from '../evaluation/heavy-projects.ts'
import type { MergeQueueJob } from '../merge-queue/merge-queue-job.ts'
import type { FlowCounters } from '../reporting/counters.ts'
import { logNames } from '../reporting/log-names.ts'
import type { EnqueueOpenOptions } from '../rule-changes/enqueue-open.ts'
import type { BotUserLookup } from '../service/bot-user.ts'
import type { NoteUnseen } from './unseen-projects.ts'

export interface IntakeOptions extends EnqueueOpenOptions {
  client: Client
  journal: Journal
  mergeQueues: JobQueue<MergeQueueJob>
  heavyProjects: HeavyProjects
  botUser: BotUserLookup
  /** How long raw bodies are stored, in milliseconds. */
  bodyRetentionMs: number
  counting?: FlowCounters | undefined
}

export interface IntakeContext extends IntakeOptions {
  /** Limits concurrent calls: more deliveries are read at once than the service should serve. */
  limitConcurrency: LimitFunction
  noteUnseen: NoteUnseen
}

export interface CurrentDelivery {
  record: Omit<DeliveryRecord, 'replays'>
  /** Stored with the result; absent where it is stored already, or there is none. */
  body?: { text: string; keepMs: number }
  /** A person replays it: nothing that is remembered replaces a reading. */
  isReplay?: true
  /** Of the event's merge request. */
  name?: MergeRequestName | undefined
}

/**
 * Saves, counts and logs the result of a delivery, with the events that become pending; `level` where it is not news.
 * Returns what counts for each event. Throws JournalUnavailable.
 */
export async function saveResult(
  { journal, counting, log }: IntakeContext,
  { record: before, body, name }: CurrentDelivery,
  result: Partial<CurrentDelivery['record']>,
  { level = 'info', events }: { level?: 'info' | 'debug'; events?: DeliveryParts['events'] } = {},
): Promise<CountedEvent[]> {
  const record = { ...before, ...result }
  const { id, state, event, reason, mergeRequests } = record
  const counted = await journal.deliveries.save(record, { body, name, events })
  counting?.delivery(record)
  describeSpan({ 'bellhop.delivery.state': state, 'bellhop.event': event?.kind })
  const names = await logNames(journal, mergeRequests)
  log[level](
    { event: 'delivery_read', delivery: id, state, kind: event?.kind, reason, mergeRequests: names },
    `delivery ${state}`,
  )
  return counted
}
