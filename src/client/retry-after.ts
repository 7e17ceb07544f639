// Reads Retry-After and the rate limit from headers.

/** An absurd value must not pause a service forever. */
const LONGEST_MS = 24 * 60 * 60 * 1000

export interface RateLimits {
  /** Calls left in this window. */
  remaining?: number
  /** When the window ends, in milliseconds since 1970. */
  resetAt?: number
}

/** Undefined if the service does not say. The reset is corrected by the difference of the clocks. */
export function readLimits(headers: Headers, now: number): RateLimits | undefined {
  const remaining = wholeNumber(headers.get('ratelimit-remaining'))
  const reset = wholeNumber(headers.get('ratelimit-reset'))
  if (remaining === undefined && reset === undefined) return undefined
  return { remaining, resetAt: reset === undefined ? undefined : reset * 1000 + now - serviceNow(headers, now) }
}

/** Retry-After in seconds or as a date; for 429 without it, RateLimit-Reset. Undefined when none can be read. */
export function readRetryAfter(status: number, headers: Headers, now: number): number | undefined {
  const delayMs =
    fromRetryAfter(headers.get('retry-after'), now) ?? (status === 429 ? untilReset(headers, now) : undefined)
  return delayMs === undefined ? undefined : Math.min(Math.max(delayMs, 0), LONGEST_MS)
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

/** The service's clock, else ours. Its date has whole seconds: a difference below one counts as none. */
function serviceNow(headers: Headers, now: number): number {
  const date = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(date) || Math.abs(now - date) < 1000 ? now : date
}

/** Undefined unless the text is a whole number of at most 15 digits. */
export function wholeNumber(value: string | null): number | undefined {
  return value !== null && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : undefined
}
