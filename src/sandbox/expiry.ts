// The dates with which memberships and shares end (api-v4.md §4.3 `expires_at`).
import { invalid } from './refusal.ts'

/** From that date on, as on real installations: the day itself no longer counts. */
export function hasEnded({ expires_at }: { readonly expires_at: string | null }): boolean {
  return expires_at !== null && expires_at <= today()
}

/** The date to keep; the empty string is none. Throws 400 for a day that no calendar has, and for one that is over. */
export function checkExpiry(given: string | undefined): string | null {
  if (given === undefined || given === '') return null
  const time = Date.parse(`${given}T00:00:00Z`)
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== given) throw invalid('expires_at', 'is invalid')
  if (given < today()) throw invalid('expires_at', 'cannot be a date in the past')
  return given
}

function today(): string {
  return new Date().toISOString().slice(0, 10)
}
