// What /readyz says of the journal's database. A full database still answers, so recent failures count too.
import type { JournalUnavailable } from '../errors.ts'
import type { JournalDatabase } from './journal-database.ts'

/** What waits is tried again every few seconds, so an older failure says nothing about now. */
const FAILURE_COUNTS_MS = 10_000

/** `now`: milliseconds since 1970. `failed` takes each failure of the journal. */
export function databaseHealth(database: Pick<JournalDatabase, 'ping'>, now: () => number) {
  let last: { error: JournalUnavailable; at: number } | undefined
  return {
    failed(error: JournalUnavailable): void {
      // `ping` asks whether it answers by now.
      if (error.trouble !== 'unreachable') last = { error, at: now() }
    },
    /** Throws JournalUnavailable if the database does not answer, only reads, or refused something a moment ago. */
    async ping(): Promise<void> {
      await database.ping()
      if (last !== undefined && now() - last.at < FAILURE_COUNTS_MS) throw last.error
    },
  }
}
