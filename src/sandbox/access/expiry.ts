// Expiry dates of memberships, shares and tokens.
import { invalid } from '../http/error-response.ts'

/** The expiry day itself no longer counts, as in GitLab. */
export function hasEnded({ expires_at }: { readonly expires_at: string | null }): boolean {
  return expires_at !== null && expires_at <= today()
}

/** Returns null for the empty string. Throws 400 for an invalid date or a past one. */
export function checkExpiry(given: string | undefined): string | null {
  const date = readDate('expires_at', given ?? '')
  if (date !== null && date < today()) throw invalid('expires_at', 'cannot be a date in the past')
  return date
}

/** The empty string is null. Throws 400 for an invalid date. */
export function readDate(field: string, text: string): string | null {
  if (text !== '' && !isDate(text)) throw invalid(field, 'is invalid')
  return text === '' ? null : text
}

/** Refuses `2026-02-31`, which Date takes for a day in March. */
export function isDate(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().slice(0, 10) === text
}

/** The date so many days from now. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * 24 * 60 * 60_000).toISOString().slice(0, 10)
}

function today() {
  return inDays(0)
}
