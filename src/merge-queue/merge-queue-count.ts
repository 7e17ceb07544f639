// What is counted of a merge queue.
import type { PauseReason, RemovalReason } from './types.ts'

export type MergeQueueCount =
  /** The branch of an attempt was pushed. */
  | { is: 'built' }
  /** A merge request landed, so long after it entered. */
  | { is: 'landed'; waitedMs: number }
  | { is: 'removed'; reason: RemovalReason }
  | { is: 'paused'; reason: PauseReason }
