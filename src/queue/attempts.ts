// How often a job was tried by its own schedule: a try that an event woke before its time counts for nothing (DESIGN §6).

/** With the back-off below, two to four hours. */
export const ATTEMPTS = 16
export const FIRST_BACKOFF_MS = 1_000

export interface Tally {
  attempts: number
  /** When the next try is due by itself, in milliseconds since 1970. */
  dueAt: number
  /** How many runs in a row began and came to no end; counted from the first time on that a process ended or froze while it had the job. */
  cutOff: number
  /** For how many of them it has rested already. */
  rested: number
}

export const NO_TALLY: Tally = { attempts: 0, dueAt: 0, cutOff: 0, rested: 0 }

/** So many times as long as after a failure. */
const REST_TIMES = 10
const LONGEST_BACKOFF_MS = 60 * 60_000

/** Whether a job carries one: none does before it was run. */
export function isTallied(kept: unknown): kept is Partial<Tally> {
  return typeof kept === 'object' && kept !== null && 'attempts' in kept && 'dueAt' in kept
}

/** What a job carries of its failed tries. */
export function readTally(kept: unknown): Tally {
  return isTallied(kept) ? { ...NO_TALLY, ...kept } : NO_TALLY
}

/** True when an event made the job run before its own time. */
export function isWoken(tally: Tally, now: number): boolean {
  return now < tally.dueAt
}

/** The tally after a try that began at `startedAt` has failed; a woken one leaves the schedule as it was. `chance` is from 0 to 1. */
export function afterFailure(tally: Tally, given: { startedAt: number; now: number; firstBackoffMs: number; chance: number }): Tally {
  if (isWoken(tally, given.startedAt)) return { ...NO_TALLY, attempts: tally.attempts, dueAt: Math.max(tally.dueAt, given.now + 1) }
  const attempts = tally.attempts + 1
  return { ...NO_TALLY, attempts, dueAt: given.now + backoffMs(attempts, given.firstBackoffMs, given.chance) }
}

/**
 * How long a job rests before it runs again after so many runs in a row were cut off. The process may have ended for another job beside it,
 * or may be ended again and again by somebody: so each comes to run at another time.
 */
export function restMs(cutOff: number, given: { firstBackoffMs: number; chance: number }): number {
  return backoffMs(cutOff, REST_TIMES * given.firstBackoffMs, given.chance)
}

/** Doubles with each attempt up to an hour, less up to half of it by chance. */
export function backoffMs(attempt: number, firstMs: number, chance: number): number {
  const longest = Math.min(firstMs * 2 ** (attempt - 1), LONGEST_BACKOFF_MS)
  return Math.max(1, Math.round(longest * (0.5 + chance / 2)))
}
