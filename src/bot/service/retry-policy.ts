// The retry policy: what an error means for a job, and nowhere else: retry, give up, pause or wait (docs/operating.md).
// HTTP 429: client/send.ts waits first; then job-handler.ts pauses the queues.
import { InvalidCallError, ServiceError } from '../../client/errors.ts'
import { JournalUnavailable } from '../../journal/errors.ts'
import { ATTEMPTS, FIRST_BACKOFF_MS } from '../../queue/bullmq/attempts.ts'
import { QueueUnavailable } from '../../queue/errors.ts'
import type { CallResponse } from '../../rules/types.ts'

export type ErrorVerdict =
  /** The job fails and can be replayed. */
  | { do: 'give_up' }
  /** The job is retried with backoff; costs an attempt. */
  | { do: 'retry' }
  /** Asks whether the service is reachable: if so as `retry`, if not as `pause_calls`. */
  | { do: 'ask'; delayMs: number }
  /** Pauses all calls to the service; costs no attempt. */
  | { do: 'pause_calls'; because: 'rate_limited' | 'token_rejected'; delayMs: number }
  /** Delays this job; costs no attempt. */
  | { do: 'wait'; delayMs: number }

// Temporary refusals: timeout, conflict, locked, too early.
const temporary: ReadonlySet<number> = new Set([408, 409, 423, 425])

/** The table of docs/operating.md. */
export function errorVerdict(error: unknown, delays: RetryDelays): ErrorVerdict {
  // A retry would get the same answer.
  if (error instanceof InvalidCallError) return { do: 'give_up' }
  if (error instanceof QueueUnavailable || error instanceof JournalUnavailable)
    return { do: 'wait', delayMs: delays.storeMs }
  if (!(error instanceof ServiceError)) return { do: 'retry' }
  switch (error.kind) {
    case 'unreachable':
    case 'timeout':
      return { do: 'ask', delayMs: delays.outageMs }
    case 'rate_limited':
      return { do: 'pause_calls', because: 'rate_limited', delayMs: error.retryAfterMs ?? delays.rateLimitMs }
    case 'refused':
      if (error.status === 401) return { do: 'pause_calls', because: 'token_rejected', delayMs: delays.badTokenMs }
      return temporary.has(error.status ?? 0) ? { do: 'retry' } : { do: 'give_up' }
    // The cause may be this request, or the whole service: a lost database, a maintenance page.
    case 'failing':
    case 'redirected':
    case 'unreadable':
      return { do: 'ask', delayMs: error.retryAfterMs ?? delays.outageMs }
    default:
      return error.kind satisfies never
  }
}

/** A permanent refusal of a read (403, 404): the facts are absent, which is no error. */
export function isPermanentRefusal(error: unknown): error is ServiceError {
  return (
    error instanceof ServiceError &&
    error.kind === 'refused' &&
    !temporary.has(error.status ?? 0) &&
    error.status !== 401
  )
}

/** 404. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 404
}

/** For `catch`: what stands for something that the service does not have. */
export function ifNotFound<T>(instead: T): (error: unknown) => T {
  return (error) => {
    if (!isNotFound(error)) throw error
    return instead
  }
}

/** 301: a project that is named by its path was renamed. */
export function isMoved(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.status === 301
}

/** The outcome of a failed call; undefined if the error is not about the call (outage, limit, bad token). */
export function resultOfError(error: ServiceError): CallResponse['result'] | undefined {
  if (error.mayHaveBeenApplied) return 'ambiguous'
  if (error.kind !== 'refused') return undefined
  if (error.status === 401 && !error.missingPermission) return undefined
  return error.means ?? 'refused'
}

/** The delays and attempts after an error (docs/operating.md); tests shorten them. Times in milliseconds. */
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
