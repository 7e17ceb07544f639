// Reads how long the service wants to be left alone, and how much of its rate limit is left (hosting-service.md §3.5).

/** A value beyond any real limit must not pause a service for ever. */
const LONGEST_MS = 24 * 60 * 60 * 1000

export interface Limits {
  /** Calls left in the present window. */
  remaining?: number | undefined
  /** When the window ends, in milliseconds since 1970. */
  resetAt?: number | undefined
}

/** The service's rate limit, undefined where it does not say. The reset is corrected by how far the service's clock is from ours. */
export function readLimits(headers: Headers, now: number): Limits | undefined {
  const remaining = wholeNumber(headers.get('ratelimit-remaining'))
  const reset = wholeNumber(headers.get('ratelimit-reset'))
  if (remaining === undefined && reset === undefined) return undefined
  return { remaining, resetAt: reset === undefined ? undefined : reset * 1000 + now - theirNow(headers, now) }
}

/** Retry-After in seconds or as a date; for 429 without it, RateLimit-Reset. Undefined when none can be read. */
export function readRetryAfter(status: number, headers: Headers, now: number): number | undefined {
  const wanted = fromRetryAfter(headers.get('retry-after'), now) ?? (status === 429 ? untilReset(headers, now) : undefined)
  return wanted === undefined ? undefined : Math.min(Math.max(wanted, 0), LONGEST_MS)
}

function fromRetryAfter(value: string | null, now: number): number | undefined {
  const seconds = wholeNumber(value)
  if (seconds !== undefined) return seconds * 1000
  // Date.parse takes bare numbers and fragments for dates; an HTTP date always names its month.
  if (value === null || !/[A-Za-z]{3}/.test(value)) return undefined
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : at - now
}

function untilReset(headers: Headers, now: number): number | undefined {
  const resetAt = readLimits(headers, now)?.resetAt
  return resetAt === undefined ? undefined : resetAt - now
}

/** What the service's clock says; ours where it does not say. Its date has whole seconds only: less than one apart is none. */
function theirNow(headers: Headers, now: number): number {
  const date = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(date) || Math.abs(now - date) < 1000 ? now : date
}

/** A header that holds digits only. */
export function wholeNumber(value: string | null): number | undefined {
  return value !== null && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : undefined
}
