// The state of the hosting service as this process knows it: reachable, token accepted, calls left.
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import type { RateLimits } from '../../client/retry-after.ts'
import type { RequestLog } from '../../client/wire.ts'

export type ServiceProblem = 'rate_limited' | 'unreachable' | 'token_rejected'

export interface ServiceCondition {
  is: 'fine' | ServiceProblem
  /** Milliseconds since 1970; absent when `fine`. */
  since?: number
  reason?: string
}

export interface ServiceState {
  /** The client reports every request. */
  onRequest(line: Pick<RequestLog, 'kind' | 'status'>): void
  /** The client reports the rate limit; calls are then held back before a 429. */
  onLimits(limits: RateLimits): void
  /** As last reported; undefined where the service sends none. */
  rateLimit(): RateLimits | undefined
  /** No call before this time, in milliseconds since 1970. */
  heldUntil(): number
  /** A job met this problem; a rate limit holds all calls for `delayMs`. */
  report(trouble: ServiceProblem, delayMs: number, reason: string): void
  condition(): ServiceCondition
  /** Asks the service (GET /user), one request for all concurrent callers. */
  check(client: Pick<Client, 'users'>): Promise<'fine' | 'unreachable' | 'token_rejected'>
}

// A slower response to this small request counts as unreachable.
const askWithinMs = 5_000
// The response is reused for so long: many jobs meet an outage at once.
const believedMs = 1_000
// A later reset is a clock error.
const longestHoldMs = 24 * 60 * 60_000

/** Starts as `fine`. `onChange` gets each new condition once. */
export function createServiceState(given: {
  now: () => number
  onChange?: (condition: ServiceCondition) => void
}): ServiceState {
  const { now } = given
  let trouble: { is: Exclude<ServiceProblem, 'rate_limited'>; since: number; reason: string } | undefined
  let limits: RateLimits | undefined
  let limited: { since: number; until: number; reason: string } | undefined
  let asked: { at: number; answer: ReturnType<ServiceState['check']> } | undefined

  function condition(): ServiceCondition {
    if (trouble !== undefined) return trouble
    if (limited !== undefined && limited.until > now())
      return { is: 'rate_limited', since: limited.since, reason: limited.reason }
    return { is: 'fine' }
  }

  function over(which: ReadonlySet<ServiceProblem>): void {
    if (trouble === undefined || !which.has(trouble.is)) return
    trouble = undefined
    given.onChange?.(condition())
  }

  function hold(until: number, reason: string): void {
    const before = condition().is
    const last = Math.min(until, now() + longestHoldMs)
    if (limited === undefined || limited.until <= now()) limited = { since: now(), until: last, reason }
    else if (last > limited.until) limited = { ...limited, until: last, reason }
    if (before !== condition().is) given.onChange?.(condition())
  }

  async function look(client: Pick<Client, 'users'>): ReturnType<ServiceState['check']> {
    try {
      await client.users.current({}, { signal: AbortSignal.timeout(askWithinMs) })
      return 'fine'
    } catch (error) {
      // The deadline is the only other error.
      if (!(error instanceof ServiceError)) return 'unreachable'
      if (error.kind === 'refused' && error.status === 401) return 'token_rejected'
      return error.kind === 'refused' || error.kind === 'rate_limited' ? 'fine' : 'unreachable'
    }
  }

  return {
    condition,
    heldUntil: () => limited?.until ?? 0,
    onRequest({ kind, status }) {
      if (kind === undefined) over(new Set(['unreachable', 'token_rejected']))
      else if (kind === 'refused' && status !== 401) over(new Set(['unreachable']))
    },
    rateLimit: () => limits,
    onLimits({ remaining, resetAt }) {
      limits = { remaining, resetAt }
      if (remaining === 0 && resetAt !== undefined && resetAt > now())
        hold(resetAt, 'the rate limit of this window is used up')
    },
    report(is, delayMs, reason) {
      if (is === 'rate_limited') return hold(now() + delayMs, reason)
      if (trouble?.is === is) return
      trouble = { is, since: now(), reason }
      given.onChange?.(trouble)
    },
    check(client) {
      if (asked === undefined || now() - asked.at > believedMs) {
        const answer = look(client)
        // Concurrent callers share the request however long it takes.
        asked = { at: Number.POSITIVE_INFINITY, answer }
        void answer.then(() => {
          if (asked?.answer === answer) asked.at = now()
        })
      }
      return asked.answer
    },
  }
}
