// Counters of what passes through Bellhop: each is called once, right after the event.
import type { DecisionRecord, DeliveryRecord, RuleFileRecord, SweptProject } from '../../journal/types.ts'
import type { MergeQueueCount } from '../../merge-queue/types.ts'

export interface FlowCounters {
  /** A web hook was answered, with this HTTP status. */
  answered(status: number): void
  /** Intake has finished a delivery, with any outcome; a replay counts again. */
  delivery(record: Pick<DeliveryRecord, 'state' | 'event'>): void
  /** A decision was made, its calls sent, and it is in the journal. */
  decision(record: DecisionRecord): void
  /** A sweep has ended; `left` projects wait for the next one. */
  sweep(sweep: { why: string; failed: boolean; projects: readonly SweptProject[]; left: number }): void
  /** A repository's rule file, or one that it includes, was read from the service. */
  ruleFile(record: Pick<RuleFileRecord, 'blob' | 'problems'>): void
  /** When the service token expires, in milliseconds since 1970; undefined if it never does, or unknown. */
  tokenExpires(at: number | undefined): void
  /** A post to a chat of the operator's: `retried` is an attempt that failed. */
  chatPost(chat: string, result: 'sent' | 'retried' | 'failed' | 'dropped'): void
  /** After a step of a merge queue: what landed once for each merge request. */
  mergeQueue(what: MergeQueueCount): void
}
