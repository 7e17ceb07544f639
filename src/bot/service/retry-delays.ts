// The delays and attempts after an error (docs/operating.md); tests shorten them.
import { ATTEMPTS, FIRST_BACKOFF_MS } from '../../queue/bullmq/attempts.ts'

/** Times in milliseconds. */
export interface RetryDelays {
  /** The pause when the service is unreachable. */
  outageMs: number
  /** Without a Retry-After the window is unknown; a minute is usual. */
  rateLimitMs: number
  /** People replace a bad token; checked often enough to notice soon. */
  badTokenMs: number
  /** Queue and journal share one store. */
  storeMs: number
  /** All attempts of a failing job, and its first delay, which then doubles. */
  attempts: number
  firstBackoffMs: number
  /** Operators are notified of a longer outage. */
  notifyAfterMs: number
  /** The longest wait of one call for a rate limit. */
  callMs: number
}

export const defaultRetryDelays: RetryDelays = {
  outageMs: 5_000,
  rateLimitMs: 60_000,
  badTokenMs: 10_000,
  storeMs: 2_000,
  attempts: ATTEMPTS,
  firstBackoffMs: FIRST_BACKOFF_MS,
  notifyAfterMs: 60_000,
  callMs: 5_000,
}
