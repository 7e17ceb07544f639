// How often a job was tried by its own schedule: a try that an event woke before its time counts for nothing (DESIGN §6).

/** With the back-off below, two to four hours. */
export const ATTEMPTS = 16
export const FIRST_BACKOFF_MS = 1_000

export interface Tally {
  attempts: number
  /** When the next try is due by itself, in milliseconds since 1970. */
  dueAt: number
  /** For how many ends of a process in a row it has waited already. */
  rested: number
}

/** So many times as long as after a failure. */
const REST_TIMES = 10
const LONGEST_BACKOFF_MS = 60 * 60_000

/** What a job carries of its failed tries. */
export function readTally(kept: unknown): Tally {
  if (typeof kept !== 'object' || kept === null || !('attempts' in kept) || !('dueAt' in kept)) return { attempts: 0, dueAt: 0, rested: 0 }
  return { attempts: Number(kept.attempts), dueAt: Number(kept.dueAt), rested: 'rested' in kept ? Number(kept.rested) : 0 }
}

/** True when an event made the job run before its own time. */
export function isWoken(tally: Tally, now: number): boolean {
  return now < tally.dueAt
}

/** The tally after a try that began at `startedAt` has failed; a woken one leaves the schedule as it was. `chance` is from 0 to 1. */
export function afterFailure(tally: Tally, given: { startedAt: number; now: number; firstBackoffMs: number; chance: number }): Tally {
  if (isWoken(tally, given.startedAt)) return { ...tally, dueAt: Math.max(tally.dueAt, given.now + 1), rested: 0 }
  return { attempts: tally.attempts + 1, dueAt: given.now + backoffMs(tally.attempts + 1, given.firstBackoffMs, given.chance), rested: 0 }
}

/**
 * How long a job waits before it runs again after its process ended or froze so often in a row; after the first time not at all. The process
 * may have ended for another job beside it, or may be ended again and again by somebody: so each comes to run at another time.
 */
export function restMs(stalls: number, given: { firstBackoffMs: number; chance: number }): number {
  return stalls < 2 ? 0 : backoffMs(stalls - 1, REST_TIMES * given.firstBackoffMs, given.chance)
}

/** Doubles with each attempt up to an hour, less up to half of it by chance. */
export function backoffMs(attempt: number, firstMs: number, chance: number): number {
  const longest = Math.min(firstMs * 2 ** (attempt - 1), LONGEST_BACKOFF_MS)
  return Math.max(1, Math.round(longest * (0.5 + chance / 2)))
}
