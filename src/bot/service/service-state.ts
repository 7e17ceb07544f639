// The state of the hosting service as this process knows it: reachable, token accepted, calls left.
import type { Client } from '../../client/create-client.ts'
import { ServiceError } from '../../client/errors.ts'
import type { RateLimits } from '../../client/response.ts'
import type { RequestLog } from '../../client/transport.ts'

export type ServiceProblem = 'rate_limited' | 'unreachable' | 'token_rejected'

export interface ServiceCondition {
  is: 'fine' | ServiceProblem
  /** Milliseconds since 1970; absent when `fine`. */
  since?: number
  reason?: string
}

export type ServiceState = ReturnType<typeof createServiceState>

// The result is reused for so long: many jobs check at once in an outage.
const checkCacheMs = 1_000
// A later reset is a clock error.
const longestHoldMs = 24 * 60 * 60_000

/** Starts as `fine`. `onChange` gets each new condition once. */
export function createServiceState(given: { now: () => number; onChange?: (condition: ServiceCondition) => void }) {
  const { now } = given
  let problem: { is: Exclude<ServiceProblem, 'rate_limited'>; since: number; reason: string } | undefined
  let limits: RateLimits | undefined
  let limited: { since: number; until: number; reason: string } | undefined
  let lastCheck: { at: number; result: ReturnType<typeof look> } | undefined

  function condition(): ServiceCondition {
    if (problem !== undefined) return problem
    if (limited !== undefined && limited.until > now())
      return { is: 'rate_limited', since: limited.since, reason: limited.reason }
    return { is: 'fine' }
  }

  function endProblem(which: ReadonlySet<ServiceProblem>): void {
    if (problem === undefined || !which.has(problem.is)) return
    problem = undefined
    given.onChange?.(condition())
  }

  function hold(until: number, reason: string): void {
    const before = condition().is
    const last = Math.min(until, now() + longestHoldMs)
    if (limited === undefined || limited.until <= now()) limited = { since: now(), until: last, reason }
    else if (last > limited.until) limited = { ...limited, until: last, reason }
    if (before !== condition().is) given.onChange?.(condition())
  }

  async function look(client: Pick<Client, 'users'>): Promise<'fine' | 'unreachable' | 'token_rejected'> {
    try {
      await client.users.current({}, { noRetry: true })
      return 'fine'
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      if (error.kind === 'refused' && error.status === 401) return 'token_rejected'
      return error.kind === 'refused' || error.kind === 'rate_limited' ? 'fine' : 'unreachable'
    }
  }

  return {
    condition,
    /** No call before this time, in milliseconds since 1970. */
    rateLimitedUntil: () => limited?.until ?? 0,
    /** The client reports every request. */
    onRequest({ kind, status }: Pick<RequestLog, 'kind' | 'status'>): void {
      if (kind === undefined) endProblem(new Set(['unreachable', 'token_rejected']))
      else if (kind === 'refused' && status !== 401) endProblem(new Set(['unreachable']))
    },
    /** As last reported; undefined if the service sends none. */
    rateLimit: () => limits,
    /** The client reports the rate limit; calls are then held back before a 429. */
    onLimits({ remaining, resetAt }: RateLimits): void {
      limits = { remaining, resetAt }
      if (remaining === 0 && resetAt !== undefined && resetAt > now())
        hold(resetAt, 'the rate limit of this window is used up')
    },
    /** A job met this problem; a rate limit holds all calls for `delayMs`. */
    report(is: ServiceProblem, delayMs: number, reason: string): void {
      if (is === 'rate_limited') hold(now() + delayMs, reason)
      else if (problem?.is !== is) {
        problem = { is, since: now(), reason }
        given.onChange?.(problem)
      }
    },
    /** Asks the service (GET /user), one request for all concurrent callers. */
    check(client: Pick<Client, 'users'>) {
      if (lastCheck === undefined || now() - lastCheck.at > checkCacheMs) {
        const result = look(client)
        // Concurrent callers share the request however long it takes.
        lastCheck = { at: Number.POSITIVE_INFINITY, result }
        void result.then(() => {
          if (lastCheck?.result === result) lastCheck.at = now()
        })
      }
      return lastCheck.result
    },
  }
}
