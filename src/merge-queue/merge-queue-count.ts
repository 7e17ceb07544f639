// What is counted of a merge queue.
import type { PauseReason, RemovalReason, VoidCause } from './types.ts'

export type MergeQueueCount =
  /** The branch of an attempt was pushed. */
  | { is: 'built' }
  /**
   * A merge request landed, so long after it entered; and so long before or after the time that its note said first, where
   * it said one.
   */
  | { is: 'landed'; waitedMs: number; etaErrorMs?: number }
  /** A build was tested in vain. */
  | { is: 'voided'; cause: VoidCause }
  | { is: 'removed'; reason: RemovalReason }
  | { is: 'paused'; reason: PauseReason }
