// Calls one endpoint: prepares the request, sends it, and repeats it while that is safe.
import type { Endpoint } from '../api/endpoint.ts'
import { api } from '../api/index.ts'
import { inSpan } from '../tracing/span.ts'
import { type AttemptOptions, attempt, type SendResult } from './attempt.ts'
import { ServiceError, scrub } from './errors.ts'
import { type PreparedRequest, prepareRequest } from './request.ts'
import type { ApiResponse } from './response.ts'
import type { RequestLog, Transport } from './transport.ts'

const FIRST_BACKOFF_MS = 250

export interface SendOptions {
  /** No wait and no retry: the call depends on what was read just before. */
  noRetry?: boolean
  /** Called right before every request of the call; what it throws ends the call. */
  beforeRequest?: () => Promise<unknown>
  /** Bypasses caches, ours and those on the way. */
  bypassCache?: boolean
}

type CallParams = Readonly<Record<string, unknown>>

/** Tries both methods if installations differ. Throws InvalidCallError before anything is sent, or ServiceError. */
export async function callEndpoint(
  transport: Transport,
  endpoint: Endpoint,
  params: CallParams,
  options: SendOptions = {},
): Promise<ApiResponse<unknown>> {
  const request = prepareRequest(endpoint, params)
  const { otherMethod } = endpoint
  if (otherMethod === undefined) return (await send(transport, request, options)).response
  try {
    const { method } = otherMethod
    return (await send(transport, { ...request, endpoint: { ...endpoint, method } }, options)).response
  } catch (error) {
    if (!(error instanceof ServiceError) || !otherMethod.after.includes(error.status ?? 0)) throw error
    // These statuses may also mean that it is gone, merged or closed.
    if (!(await isOpen(transport, params))) throw error
    return tryDocumentedMethod(transport, request, error, options)
  }
}

/** Throws the first error, which explains more, where neither method is known. */
async function tryDocumentedMethod(
  transport: Transport,
  request: PreparedRequest,
  first: ServiceError,
  options: SendOptions,
) {
  return send(transport, request, options).then(
    ({ response }) => response,
    (second: unknown) => {
      throw second instanceof ServiceError && second.status === 404 ? first : second
    },
  )
}

async function isOpen(transport: Transport, { id, merge_request_iid }: CallParams) {
  const request = prepareRequest(api.mergeRequests.get, { id, merge_request_iid })
  try {
    const { state } = (await send(transport, request)).response.body as { state?: string }
    return state === 'opened' || state === 'reopened'
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'refused') return false
    throw error
  }
}

/**
 * Sends a request, with exponential backoff and full jitter between retries; `Retry-After` wins.
 * 429: waits up to `maxWaitMs`, else throws with `retryAfterMs`; bot/service/job-handler.ts then pauses the queues.
 * Throws ServiceError.
 */
export async function send(
  transport: Transport,
  request: PreparedRequest,
  { noRetry = false, beforeRequest, bypassCache = false }: SendOptions = {},
): Promise<SendResult> {
  for (let count = 1; ; count++) {
    await waitForRateLimit(noRetry ? { ...transport, maxWaitMs: 0 } : transport, request)
    await beforeRequest?.()
    const started = transport.clock.now()
    // Read for each request: the token may have been replaced.
    const token = transport.token()
    const report = (outcome: Pick<RequestLog, 'status' | 'kind' | 'retryInMs'>) => {
      const { name, method } = request.endpoint
      const path = scrub(request.path, [token, ...request.secrets])
      transport.log?.({
        endpoint: name,
        method,
        path,
        attempt: count,
        durationMs: transport.clock.now() - started,
        ...outcome,
      })
    }
    const result = await tracedAttempt(transport, request, { token, bypassCache, count }).catch((error: unknown) => ({
      error,
    }))
    if (!('error' in result)) {
      report({ status: result.status })
      return result
    }
    const { error } = result
    if (!(error instanceof ServiceError)) throw error
    const retryInMs =
      !noRetry && count < transport.attempts && isSafeToRepeat(error) ? retryDelay(transport, error, count) : undefined
    report({ status: error.status, kind: error.kind, retryInMs })
    if (retryInMs === undefined) throw error
    await transport.clock.sleep(retryInMs)
  }
}

/** One span for each request. The service gets no `traceparent`: it is not part of this system. */
function tracedAttempt(
  transport: Transport,
  request: PreparedRequest,
  { count, ...options }: AttemptOptions & { count: number },
): Promise<SendResult> {
  const { name, method } = request.endpoint
  const attributes = { 'http.request.method': method, 'bellhop.endpoint': name, 'http.request.resend_count': count - 1 }
  return inSpan(`${method} ${name}`, { kind: 'client', attributes }, async (span) => {
    try {
      const result = await attempt(transport, request, options)
      span.setAttribute('http.response.status_code', result.status)
      return result
    } catch (error) {
      if (error instanceof ServiceError && error.status !== undefined)
        span.setAttribute('http.response.status_code', error.status)
      throw error
    }
  })
}

/** Waits until the known rate limit resets; throws when that is longer than `maxWaitMs`. */
async function waitForRateLimit(transport: Transport, { endpoint, path, secrets }: PreparedRequest): Promise<void> {
  const waitMs = (transport.rateLimitedUntil?.() ?? 0) - transport.clock.now()
  if (waitMs <= 0) return
  if (waitMs <= transport.maxWaitMs) return transport.clock.sleep(waitMs)
  const detail = `the rate limit is used up for another ${Math.ceil(waitMs / 1000)} s`
  throw new ServiceError({
    kind: 'rate_limited',
    target: endpoint,
    path: scrub(path, [transport.token(), ...secrets]),
    detail,
    retryAfterMs: waitMs,
    mayHaveBeenApplied: false,
  })
}

/** A write is repeated only when it cannot have been applied: 429, or no connection. */
function isSafeToRepeat({ kind, method, status, mayHaveBeenApplied }: ServiceError): boolean {
  if (kind === 'rate_limited') return true
  if (kind === 'unreachable') return !mayHaveBeenApplied
  return method === 'GET' && (kind === 'timeout' || kind === 'failing' || status === 408)
}

/** Undefined if `Retry-After` is longer than a call may wait: the queue pauses instead. */
function retryDelay({ random, maxWaitMs }: Transport, error: ServiceError, count: number): number | undefined {
  const backoff = random() * Math.min(maxWaitMs, FIRST_BACKOFF_MS * 2 ** (count - 1))
  const delayMs = Math.max(error.retryAfterMs ?? 0, backoff)
  return delayMs > maxWaitMs ? undefined : delayMs
}
