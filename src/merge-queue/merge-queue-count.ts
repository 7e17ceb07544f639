// What metrics count about a merge queue.
import type { PauseReason, RemovalReason, VoidCause } from './types.ts'

export type MergeQueueCount =
  /** The branch of an attempt was pushed. */
  | { is: 'built' }
  /**
   * A merge request landed. `waitedMs`: since it entered. `etaErrorMs`: the difference from the time that its note
   * named first, if it named one.
   */
  | { is: 'landed'; waitedMs: number; etaErrorMs?: number }
  /** The test of a build was wasted. */
  | { is: 'voided'; cause: VoidCause }
  | { is: 'removed'; reason: RemovalReason }
  | { is: 'paused'; reason: PauseReason }
