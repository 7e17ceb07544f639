// Calls one endpoint: prepares the request, sends it, and repeats it while that is safe.
import type { Endpoint } from '../api/endpoint.ts'
import { api } from '../api/index.ts'
import type { ApiResponse } from './answer.ts'
import { attempt, type Received } from './attempt.ts'
import { ServiceError } from './errors.ts'
import { type PreparedRequest, prepareRequest } from './request.ts'
import { scrub } from './secrets.ts'
import type { RequestLog, Transport } from './wire.ts'

const FIRST_BACKOFF_MS = 250

export interface SendOptions {
  /** Aborts the call, which then throws the signal's reason; a write may have been applied. */
  signal?: AbortSignal | undefined
  /** Sent now or not at all, without a wait or retry, because it depends on what was read just before. */
  noRetry?: boolean | undefined
  /** Called right before every request of the call; what it throws ends the call. */
  beforeRequest?: (() => Promise<unknown>) | undefined
  /** Bypasses caches, ours and those on the way. */
  bypassCache?: boolean | undefined
}

type CallParams = Readonly<Record<string, unknown>>

/**
 * Looks up the id of a path where only an id is taken, and tries the other method where installations differ
 * (hosting-service.md §3.1). Throws InvalidCallError before anything is sent, or ServiceError.
 */
export async function callEndpoint(
  wire: Transport,
  endpoint: Endpoint,
  params: CallParams,
  options: SendOptions = {},
): Promise<ApiResponse<unknown>> {
  const { signal } = options
  const checked = prepareRequest(endpoint, params)
  const isPath = endpoint.integerId === true && !/^\d+$/.test(String(params.id))
  const request = isPath
    ? prepareRequest(endpoint, { ...params, id: await findProjectId(wire, params.id, signal) })
    : checked
  try {
    return (await send(wire, request, options)).answer
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    return tryOtherMethod(wire, { request, params, refusal: error }, options)
  }
}

/** Not cached: after a rename the path may belong to another project, and an approval must not land there. */
async function findProjectId(wire: Transport, path: unknown, signal: AbortSignal | undefined): Promise<number> {
  const request = prepareRequest(api.projects.get, { id: path })
  const { answer, shownPath } = await send(wire, request, { signal })
  const { id } = answer.body as { id?: number }
  if (id !== undefined) return id
  throw new ServiceError({
    kind: 'unreadable',
    target: request.endpoint,
    path: shownPath,
    status: answer.status,
    detail: 'the answer has no id',
    mayHaveBeenApplied: false,
  })
}

interface Refused {
  request: PreparedRequest
  params: CallParams
  refusal: ServiceError
}

/** Only for an open merge request: else the statuses mean that it is gone, merged or closed. */
async function tryOtherMethod(
  wire: Transport,
  { request, params, refusal }: Refused,
  options: SendOptions,
): Promise<ApiResponse<unknown>> {
  const { otherMethod } = request.endpoint
  if (otherMethod === undefined || refusal.status === undefined || !otherMethod.after.includes(refusal.status))
    throw refusal
  if (!(await isOpen(wire, params, options.signal))) throw refusal
  try {
    const other = { ...request, endpoint: { ...request.endpoint, method: otherMethod.method } }
    return (await send(wire, other, options)).answer
  } catch (error) {
    // Neither method is known: the first error explains more.
    throw error instanceof ServiceError && error.status === 404 ? refusal : error
  }
}

async function isOpen(
  wire: Transport,
  { id, merge_request_iid }: CallParams,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const request = prepareRequest(api.mergeRequests.get, { id, merge_request_iid })
  try {
    const { state } = (await send(wire, request, { signal })).answer.body as { state?: string }
    return state === 'opened' || state === 'reopened'
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'refused') return false
    throw error
  }
}

/**
 * Sends a request, with exponential backoff and full jitter between retries; `Retry-After` wins.
 * Throws ServiceError, with `retryAfterMs` where the service wants a longer pause than `maxWaitMs`, or the reason of `signal`.
 */
export async function send(
  wire: Transport,
  request: PreparedRequest,
  { signal, noRetry = false, beforeRequest, bypassCache = false }: SendOptions = {},
): Promise<Received> {
  for (let count = 1; ; count++) {
    await untilFree(noRetry ? { ...wire, maxWaitMs: 0 } : wire, request, signal)
    await beforeRequest?.()
    const started = wire.clock.now()
    // Read for each request: the token may have been replaced.
    const token = wire.token()
    const report = (outcome: Pick<RequestLog, 'status' | 'kind' | 'repeatInMs'>) => {
      const { name, method } = request.endpoint
      const path = scrub(request.path, [token, ...request.secrets])
      wire.log?.({ endpoint: name, method, path, attempt: count, durationMs: wire.clock.now() - started, ...outcome })
    }
    const result = await attempt(wire, request, { token, signal, bypassCache }).catch((error: unknown) => ({ error }))
    if (!('error' in result)) {
      report({ status: result.status })
      return result
    }
    const { error } = result
    if (!(error instanceof ServiceError)) {
      report({ kind: 'aborted' })
      throw error
    }
    const repeatInMs =
      !noRetry && count < wire.attempts && isSafeToRepeat(error) ? pause(wire, error, count) : undefined
    report({ status: error.status, kind: error.kind, repeatInMs })
    if (repeatInMs === undefined) throw error
    await wire.clock.sleep(repeatInMs, signal).catch((interrupted: unknown) => {
      signal?.throwIfAborted()
      throw interrupted
    })
  }
}

/** Waits until the known rate limit resets; throws when that is longer than `maxWaitMs`. */
async function untilFree(
  wire: Transport,
  { endpoint, path, secrets }: PreparedRequest,
  signal: AbortSignal | undefined,
): Promise<void> {
  const waitMs = (wire.heldUntil?.() ?? 0) - wire.clock.now()
  if (waitMs <= 0) return
  if (waitMs <= wire.maxWaitMs) return wire.clock.sleep(waitMs, signal)
  const detail = `the rate limit is used up for another ${Math.ceil(waitMs / 1000)} s`
  throw new ServiceError({
    kind: 'rate_limited',
    target: endpoint,
    path: scrub(path, [wire.token(), ...secrets]),
    detail,
    retryAfterMs: waitMs,
    mayHaveBeenApplied: false,
  })
}

/** A write is repeated only when it cannot have been applied: it was refused unread (429), or never arrived. */
function isSafeToRepeat({ kind, method, status, mayHaveBeenApplied }: ServiceError): boolean {
  if (kind === 'rate_limited') return true
  if (kind === 'unreachable') return !mayHaveBeenApplied
  return method === 'GET' && (kind === 'timeout' || kind === 'failing' || status === 408)
}

/** Undefined where the service wants a longer pause than a call may wait: then the queue pauses instead. */
function pause({ random, maxWaitMs }: Transport, error: ServiceError, count: number): number | undefined {
  const backoff = random() * Math.min(maxWaitMs, FIRST_BACKOFF_MS * 2 ** (count - 1))
  const wanted = Math.max(error.retryAfterMs ?? 0, backoff)
  return wanted > maxWaitMs ? undefined : wanted
}
