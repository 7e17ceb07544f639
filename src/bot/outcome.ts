// What an error means for the work at hand: the one place that decides between retry, give up, leave alone and wait (DESIGN §2.3, §6; docs/operating.md).
import { InvalidCallError, ServiceError } from '../client/errors.ts'
import { JournalUnavailable } from '../journal/errors.ts'
import { QueueUnavailable } from '../queue/errors.ts'
import type { Answer } from '../rules/types.ts'
import { type Patience, usualPatience } from './patience.ts'

export type Verdict =
  /** The job fails at once, and can be replayed. */
  | { do: 'give up' }
  /** The job alone is tried again with back-off; this costs it an attempt. */
  | { do: 'retry' }
  /** The service is asked whether it is there: if so, as `retry`; if not, it is left alone for so long, which costs no attempt. */
  | { do: 'ask'; delayMs: number }
  /** Nobody calls the service for so long; costs no attempt. */
  | { do: 'leave alone'; because: 'limited' | 'token rejected'; delayMs: number }
  /** The job alone waits for so long; costs no attempt. */
  | { do: 'wait'; delayMs: number }

// Refusals that another try may not meet: time-out, conflict, locked, too early.
const passing: ReadonlySet<number> = new Set([408, 409, 423, 425])

/** What becomes of a job that ended with this error. */
export function verdictOf(error: unknown, patience: Patience = usualPatience): Verdict {
  // The same call would be as wrong the next time.
  if (error instanceof InvalidCallError) return { do: 'give up' }
  if (error instanceof QueueUnavailable || error instanceof JournalUnavailable) return { do: 'wait', delayMs: patience.storeMs }
  if (!(error instanceof ServiceError)) return { do: 'retry' }
  switch (error.kind) {
    case 'unreachable':
    case 'timeout':
      return { do: 'ask', delayMs: patience.outageMs }
    case 'rate-limited':
      return { do: 'leave alone', because: 'limited', delayMs: error.retryAfterMs ?? patience.rateLimitMs }
    case 'refused':
      if (error.status === 401) return { do: 'leave alone', because: 'token rejected', delayMs: patience.badTokenMs }
      return passing.has(error.status ?? 0) ? { do: 'retry' } : { do: 'give up' }
    // May be of this one request, or of all: a service without its database, a page for the time of maintenance.
    case 'failing':
    case 'redirected':
    case 'unreadable':
      return { do: 'ask', delayMs: error.retryAfterMs ?? patience.outageMs }
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
