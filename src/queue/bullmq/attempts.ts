// When a job that failed, or that ended its process, runs again. BullMQ counts the attempts.

/** How often a job is tried in all; with the back-off below this takes two to four hours. */
export const ATTEMPTS = 16
export const FIRST_BACKOFF_MS = 1_000

const LONGEST_BACKOFF_MS = 60 * 60_000
const CRASH_BACKOFF_FACTOR = 10

/** What a job carries from run to run, stored as BullMQ's job progress. */
export interface RunRecord {
  /**
   * When the next attempt is due, in milliseconds since the epoch. An attempt that an event starts earlier does not
   * count.
   */
  dueAt: number
  /** How many runs in a row ended or froze their process. */
  crashes: number
  /** After how many of these the job has already waited. */
  crashesWaited: number
  /** Why the last run put it off. */
  reason?: string
}

export const NO_RUNS: RunRecord = { dueAt: 0, crashes: 0, crashesWaited: 0 }

export function readRuns(progress: unknown): RunRecord {
  return isRuns(progress) ? { ...NO_RUNS, ...progress } : NO_RUNS
}

function isRuns(progress: unknown): progress is Partial<RunRecord> {
  return typeof progress === 'object' && progress !== null && 'dueAt' in progress
}

/**
 * Milliseconds to wait after so many crashes in a row. A different job may have crashed the process: random waits
 * separate the two.
 */
export function crashBackoffMs(crashes: number, firstBackoffMs: number, chance: number): number {
  return backoffMs(crashes, CRASH_BACKOFF_FACTOR * firstBackoffMs, chance)
}

/** Milliseconds to wait after the attempt: doubles up to an hour, less up to half of it. `chance` is from 0 to 1. */
export function backoffMs(attempt: number, firstMs: number, chance: number): number {
  const longest = Math.min(firstMs * 2 ** (attempt - 1), LONGEST_BACKOFF_MS)
  return Math.max(1, Math.round(longest * (0.5 + chance / 2)))
}
