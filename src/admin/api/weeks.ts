// Weeks of ISO 8601, in UTC.
import { DAY_MS } from '../../journal/days.ts'

export const WEEK_MS = 7 * DAY_MS
/** The epoch began on a Thursday. */
const FIRST_MONDAY_MS = -3 * DAY_MS

/** When the week of a moment (milliseconds since 1970) begins, ISO 8601. */
export function weekOf(at: number): string {
  return new Date(Math.floor((at - FIRST_MONDAY_MS) / WEEK_MS) * WEEK_MS + FIRST_MONDAY_MS).toISOString()
}

/** The name of the week that begins then: `2026-W48`. A week belongs to the year of its Thursday. */
export function weekName(start: string): string {
  const thursday = new Date(Date.parse(start) + 3 * DAY_MS)
  const year = thursday.getUTCFullYear()
  const number = Math.floor((thursday.getTime() - Date.UTC(year, 0, 1)) / WEEK_MS) + 1
  return `${year}-W${String(number).padStart(2, '0')}`
}
