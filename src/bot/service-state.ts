// What this process knows of the hosting service at the moment: whether it answers, takes the token, and has calls left (DESIGN §6).
import type { Client } from '../client/create-client.ts'
import { ServiceError } from '../client/errors.ts'
import type { Limits } from '../client/retry-after.ts'
import type { RequestLog } from '../client/wire.ts'

export type Trouble = 'limited' | 'away' | 'token rejected'

export interface ServiceCondition {
  is: 'fine' | Trouble
  /** Milliseconds since 1970; absent when it is fine. */
  since?: number
  /** The service's words, or why it is left alone. */
  reason?: string
}

export interface ServiceState {
  /** Told of every request by the client. */
  heard(line: Pick<RequestLog, 'kind' | 'status'>): void
  /** Told of the rate limit by the client, which then holds its calls back before a 429 comes. */
  limits(limits: Limits): void
  /** What the service said last of its rate limit; undefined where it says nothing of it. */
  rateLimit(): Limits | undefined
  /** No call may be sent before this moment, in milliseconds since 1970. */
  heldUntil(): number
  /** A job met this trouble; a rate limit holds all calls for `delayMs`. */
  met(trouble: Trouble, delayMs: number, reason: string): void
  condition(): ServiceCondition
  /** Asks the service itself (GET /user), once for all who ask at the same time. */
  ask(client: Pick<Client, 'users'>): Promise<'fine' | 'away' | 'token rejected'>
}

// A service that answers this small question not within so long is as good as away.
const askWithinMs = 5_000
// What was found out is believed for so long: many jobs meet an outage at once.
const believedMs = 1_000
// A reset further away than this is a mistake of a clock.
const longestHoldMs = 24 * 60 * 60_000

/** Nothing is known at the start, which counts as fine. `onChange` hears of each new condition once. */
export function createServiceState(given: { now: () => number; onChange?: (condition: ServiceCondition) => void }): ServiceState {
  const { now } = given
  let trouble: { is: Exclude<Trouble, 'limited'>; since: number; reason: string } | undefined
  let told: Limits | undefined
  let limited: { since: number; until: number; reason: string } | undefined
  let asked: { at: number; answer: ReturnType<ServiceState['ask']> } | undefined

  function condition(): ServiceCondition {
    if (trouble !== undefined) return trouble
    if (limited !== undefined && limited.until > now()) return { is: 'limited', since: limited.since, reason: limited.reason }
    return { is: 'fine' }
  }

  function over(which: ReadonlySet<Trouble>): void {
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

  async function look(client: Pick<Client, 'users'>): ReturnType<ServiceState['ask']> {
    try {
      await client.users.current({}, { signal: AbortSignal.timeout(askWithinMs) })
      return 'fine'
    } catch (error) {
      // Its own deadline is the one thing that is thrown besides.
      if (!(error instanceof ServiceError)) return 'away'
      if (error.kind === 'refused' && error.status === 401) return 'token rejected'
      return error.kind === 'refused' || error.kind === 'rate-limited' ? 'fine' : 'away'
    }
  }

  return {
    condition,
    heldUntil: () => limited?.until ?? 0,
    heard({ kind, status }) {
      if (kind === undefined) over(new Set(['away', 'token rejected']))
      else if (kind === 'refused' && status !== 401) over(new Set(['away']))
    },
    rateLimit: () => told,
    limits({ remaining, resetAt }) {
      told = { remaining, resetAt }
      if (remaining === 0 && resetAt !== undefined && resetAt > now()) hold(resetAt, 'the rate limit of this window is used up')
    },
    met(is, delayMs, reason) {
      if (is === 'limited') return hold(now() + delayMs, reason)
      if (trouble?.is === is) return
      trouble = { is, since: now(), reason }
      given.onChange?.(trouble)
    },
    ask(client) {
      if (asked === undefined || now() - asked.at > believedMs) {
        const answer = look(client)
        // It may take longer than it is believed: whoever asks meanwhile waits for the same answer.
        asked = { at: Number.POSITIVE_INFINITY, answer }
        void answer.then(() => {
          if (asked?.answer === answer) asked.at = now()
        })
      }
      return asked.answer
    },
  }
}
