// How long the journal keeps what it remembers.

export const DAY_MS = 24 * 60 * 60 * 1_000
/** Deliveries and decisions. */
export const KEPT_DAYS = 30
export const AUDIT_MS = 400 * DAY_MS
/** As long as a delivery whose job failed can be put back in line: what it brought before it failed counts once all the same. */
export const REPLAYABLE_MS = (KEPT_DAYS + 1) * DAY_MS

/** What is not asked for during so many milliseconds is forgotten. Mail, and what is remembered of open merge requests, never is. */
export interface Keeping {
  /** What is remembered of a merge request that is over. */
  over: number
  ruleFiles: number
  pushes: number
  marks: number
}

export const KEEPING: Keeping = { over: 30 * DAY_MS, ruleFiles: 90 * DAY_MS, pushes: 90 * DAY_MS, marks: 400 * DAY_MS }
