// How long things wait for a service in trouble, and how often they are tried: data, which a test of trouble shortens (docs/operating.md).
import { ATTEMPTS, FIRST_BACKOFF_MS } from '../queue/attempts.ts'

/** Times in milliseconds. */
export interface Patience {
  /** How long the service rests when it cannot be reached; the next try finds out anew. */
  outageMs: number
  /** Without a Retry-After the limit's window is not known; a minute is the usual one. */
  rateLimitMs: number
  /** A bad token is mended by people; asked again often enough to notice it soon. */
  badTokenMs: number
  /** Queue and journal are one store: when it is back, the job is taken up again. */
  storeMs: number
  /** How often a job that fails is tried in all, and the first wait, which then doubles. */
  attempts: number
  firstBackoffMs: number
  /** People are told of an outage that lasts so long. */
  tellMs: number
  /** A call itself waits no longer than this for a limit to end. */
  callMs: number
}

export const usualPatience: Patience = {
  outageMs: 5_000,
  rateLimitMs: 60_000,
  badTokenMs: 10_000,
  storeMs: 2_000,
  attempts: ATTEMPTS,
  firstBackoffMs: FIRST_BACKOFF_MS,
  tellMs: 60_000,
  callMs: 5_000,
}
