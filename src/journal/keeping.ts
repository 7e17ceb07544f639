// How long the journal keeps what it remembers.

export const DAY_MS = 24 * 60 * 60 * 1_000
export const AUDIT_MS = 400 * DAY_MS
export const AUDIT_MOST = 1_000_000
/** Longer than the queue keeps a delivery whose job failed, which can be put back in line: what it brought before it failed counts once all the same. */
export const REPLAYABLE_MS = 31 * DAY_MS

/** How many milliseconds, but for `most`. Mail, and what is remembered of open merge requests, is never forgotten. */
export interface Keeping {
  /** How many deliveries, and how many decisions: of more the oldest are forgotten before their time. */
  most: number
  /** Deliveries and decisions, from when they came; the others from when they were asked for last. */
  history: number
  /** What is remembered of a merge request that is over. */
  over: number
  ruleFiles: number
  pushes: number
  marks: number
  /** For how long an equal event of another delivery is the same event: as long as the same body stands for the same delivery (DESIGN §6). */
  sameEvent: number
}

export const KEEPING: Keeping = {
  most: 500_000,
  history: 30 * DAY_MS,
  over: 30 * DAY_MS,
  ruleFiles: 90 * DAY_MS,
  pushes: 90 * DAY_MS,
  marks: 400 * DAY_MS,
  sameEvent: 10 * 60 * 1_000,
}
