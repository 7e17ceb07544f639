// Sends a request until it succeeds or may not be repeated: exponential backoff with full jitter, the service's own wish first.
import { attempt, type Received } from './attempt.ts'
import { ServiceError } from './errors.ts'
import type { PreparedRequest } from './request.ts'
import { scrub } from './secrets.ts'
import type { RequestLog, Wire } from './wire.ts'

const FIRST_BACKOFF_MS = 250

export interface SendOptions {
  /** Ends the call early; it then throws the signal's reason, and a write may have had its effect. */
  signal?: AbortSignal | undefined
  /** Sent now or not at all, and never again: what it rests on was read just before, and would have to be read anew. */
  once?: boolean | undefined
  /** Asked right before every request of the call; what it throws ends the call, and nothing more is sent. */
  before?: (() => Promise<unknown>) | undefined
  /** A reading that is not compared with an earlier one: the whole answer is asked for, from the service itself. */
  anew?: boolean | undefined
}

/**
 * The answer of a request, which is repeated only while that is safe.
 * Throws ServiceError; with `retryAfterMs` when the service wants a longer pause than `maxWaitMs`. Throws the reason of `signal` when it fires.
 */
export async function send(
  wire: Wire,
  request: PreparedRequest,
  { signal, once = false, before, anew = false }: SendOptions = {},
): Promise<Received> {
  for (let count = 1; ; count++) {
    await untilFree(once ? { ...wire, maxWaitMs: 0 } : wire, request, signal)
    await before?.()
    const started = wire.clock.now()
    // Asked anew for each request, so that a token that was replaced meanwhile counts.
    const token = wire.token()
    const report = (outcome: Pick<RequestLog, 'status' | 'kind' | 'repeatInMs'>) => {
      const { name, method } = request.endpoint
      const path = scrub(request.path, [token, ...request.secrets])
      wire.log?.({ endpoint: name, method, path, attempt: count, durationMs: wire.clock.now() - started, ...outcome })
    }
    const result = await attempt(wire, request, { token, signal, anew }).catch((error: unknown) => ({ error }))
    if (!('error' in result)) {
      report({ status: result.status })
      return result
    }
    const { error } = result
    if (!(error instanceof ServiceError)) {
      report({ kind: 'aborted' })
      throw error
    }
    const repeatInMs = !once && count < wire.attempts && isSafeToRepeat(error) ? pause(wire, error, count) : undefined
    report({ status: error.status, kind: error.kind, repeatInMs })
    if (repeatInMs === undefined) throw error
    await wire.clock.sleep(repeatInMs, signal).catch((interrupted: unknown) => {
      signal?.throwIfAborted()
      throw interrupted
    })
  }
}

/** Waits as long as the service's limit is known to be used up, or throws when that is too long: a call that would be turned away is not sent. */
async function untilFree(wire: Wire, { endpoint, path, secrets }: PreparedRequest, signal: AbortSignal | undefined): Promise<void> {
  const waitMs = (wire.heldUntil?.() ?? 0) - wire.clock.now()
  if (waitMs <= 0) return
  if (waitMs <= wire.maxWaitMs) return wire.clock.sleep(waitMs, signal)
  const detail = `the rate limit is used up for another ${Math.ceil(waitMs / 1000)} s`
  throw new ServiceError({
    kind: 'rate-limited',
    target: endpoint,
    path: scrub(path, [wire.token(), ...secrets]),
    detail,
    retryAfterMs: waitMs,
    mayHaveBeenApplied: false,
  })
}

/** A write is repeated only when it cannot have had an effect: it was turned away unread (429), or never arrived. */
function isSafeToRepeat({ kind, method, status, mayHaveBeenApplied }: ServiceError): boolean {
  if (kind === 'rate-limited') return true
  if (kind === 'unreachable') return !mayHaveBeenApplied
  return method === 'GET' && (kind === 'timeout' || kind === 'failing' || status === 408)
}

/** Undefined when the service wants to be left alone for longer than a call may wait: then its queue pauses instead (DESIGN §6). */
function pause({ random, maxWaitMs }: Wire, error: ServiceError, count: number): number | undefined {
  const backoff = random() * Math.min(maxWaitMs, FIRST_BACKOFF_MS * 2 ** (count - 1))
  const wanted = Math.max(error.retryAfterMs ?? 0, backoff)
  return wanted > maxWaitMs ? undefined : wanted
}
