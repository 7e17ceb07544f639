// What an error means for the work at hand: the one place that decides between retry, give up, pause and judge again (DESIGN §2.3, §6).
import { InvalidCallError, ServiceError } from '../client/errors.ts'
import type { JobResult } from '../queue/types.ts'
import type { Answer } from '../rules/types.ts'

// How long a lane rests when the service cannot be reached; the next try finds out anew.
const outagePauseMs = 5_000
// Without a Retry-After the limit's window is not known; a minute is the usual one.
const rateLimitPauseMs = 60_000
// A bad token is mended by people; asked again often enough to notice it soon.
const badTokenPauseMs = 30_000
// Refusals that another try may not meet: time-out, conflict, locked, too early.
const passing: ReadonlySet<number> = new Set([408, 409, 423, 425])

/**
 * What a job does after an error while reading: an outage, a rate limit or a bad token pauses the lane and costs no attempt.
 * Anything else is thrown again, so that the queue retries with back-off and keeps the job when it is exhausted.
 */
export function afterReadError(error: unknown): JobResult {
  // The same call would be as wrong the next time.
  if (error instanceof InvalidCallError) return { outcome: 'failed', reason: error.message }
  if (!(error instanceof ServiceError)) throw error
  switch (error.kind) {
    case 'unreachable':
    case 'timeout':
      return { outcome: 'pause', delayMs: outagePauseMs, reason: error.message }
    case 'rate-limited':
      return { outcome: 'pause', delayMs: error.retryAfterMs ?? rateLimitPauseMs, reason: error.message }
    case 'refused':
      if (error.status === 401) return { outcome: 'pause', delayMs: badTokenPauseMs, reason: error.message }
      if (passing.has(error.status ?? 0)) throw error
      return { outcome: 'failed', reason: error.message }
    case 'failing':
      // Said by whatever stands before a service that is away as a whole; another 5xx may be of this one request.
      if (error.status === 502 || error.status === 503)
        return { outcome: 'pause', delayMs: error.retryAfterMs ?? outagePauseMs, reason: error.message }
      throw error
    case 'redirected':
    case 'unreadable':
      throw error
    default:
      return error.kind satisfies never
  }
}

/** True when a reading failed for good (403, 404): the facts it would have filled are absent, which is no error. */
export function isAbsentForGood(error: unknown): error is ServiceError {
  return error instanceof ServiceError && error.kind === 'refused' && !passing.has(error.status ?? 0) && error.status !== 401
}

/** True when the hosting service does not have the thing. */
export function isNotFound(error: unknown): boolean {
  return error instanceof ServiceError && error.status === 404
}

/** What came of a call that failed; what is not about the call itself (outage, limit, bad token) is undefined: the job decides. */
export function answerOf(error: ServiceError): Answer['result'] | undefined {
  if (error.mayHaveBeenApplied) return 'ambiguous'
  if (error.kind !== 'refused') return undefined
  if (error.status === 401 && !error.missingPermission) return undefined
  return error.means ?? 'refused'
}
