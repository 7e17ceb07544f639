// How long records are stored.
import { DAY_MS } from '../days.ts'

export const AUDIT_MS = 400 * DAY_MS
export const AUDIT_MOST = 1_000_000
/** Which merge requests come from a branch, from its last change. */
export const BRANCH_MS = 60 * 60 * 1_000
/** Longer than a failed delivery's job is stored: replayed, its events still count once. */
export const REPLAYABLE_MS = 31 * DAY_MS

/** Milliseconds, except `most`. Pending events and the memory of open merge requests are never deleted. */
export interface RetentionPolicy {
  /** The most deliveries, and the most decisions (`BELLHOP_HISTORY_COUNT`). */
  most: number
  /** Of deliveries and decisions, from their receipt (`BELLHOP_HISTORY_DAYS`). The others count from their last read. */
  history: number
  /** The memory of a merged or closed merge request. */
  over: number
  ruleFiles: number
  pushes: number
  marks: number
  /** Equal content within this time is the same event. */
  sameEvent: number
  /** What time figures are made of, from its last change: thirteen weeks. */
  times: number
}

export const DEFAULT_RETENTION: RetentionPolicy = {
  most: 500_000,
  history: 30 * DAY_MS,
  over: 30 * DAY_MS,
  ruleFiles: 90 * DAY_MS,
  pushes: 90 * DAY_MS,
  marks: 400 * DAY_MS,
  sameEvent: 10 * 60 * 1_000,
  times: 13 * 7 * DAY_MS,
}
