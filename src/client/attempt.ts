// Sends one HTTP request and turns whatever goes wrong into a ServiceError.
import { isMap } from '../api/json.ts'
import {
  errorCode,
  readServiceMessage,
  rejectsToken,
  ServiceError,
  type ServiceErrorFacts,
  type ServiceErrorKind,
  safeCause,
  scrub,
} from './errors.ts'
import type { PreparedRequest } from './request.ts'
import {
  type ApiResponse,
  type RateLimits,
  readBytes,
  readLimits,
  readResponse,
  readRetryAfter,
  UnreadableBody,
} from './response.ts'
import type { CachedResponse, Transport } from './transport.ts'

/** No connection was made, so the call cannot have been applied. */
const NEVER_CONNECTED: ReadonlySet<string | undefined> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'PROXY_UNREACHABLE',
  'PROXY_REFUSED',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])
/** Error messages are at the start of a body. */
const ERROR_BODY_BYTES = 1024 * 1024

/** A successful response, with what reading the next page needs. */
export interface SendResult {
  response: ApiResponse<unknown>
  /** As received: 304 if the body is the cached one. */
  status: number
  headers: Headers
  /** The path as texts may show it. */
  shownPath: string
}

interface Attempt {
  transport: Transport
  request: PreparedRequest
  shownPath: string
  secrets: readonly string[]
  /** Fires at the timeout. Referenced here until then, as it would be garbage-collected. */
  deadline: AbortSignal
  /** Undefined for what is not cached. */
  key: string | undefined
  cached: CachedResponse | undefined
}

export interface AttemptOptions {
  token: string
  bypassCache: boolean
}

/** Throws ServiceError. */
export async function attempt(
  transport: Transport,
  request: PreparedRequest,
  { token, bypassCache }: AttemptOptions,
): Promise<SendResult> {
  const deadline = AbortSignal.timeout(transport.timeoutMs)
  const secrets = [token, ...request.secrets]
  const { endpoint, path, query } = request
  // With the token: another one may have other permissions.
  const key = endpoint.method === 'GET' && endpoint.format !== 'text' ? `${token} ${path}${query}` : undefined
  const cached = bypassCache || key === undefined ? undefined : transport.cache.get(key)
  const shownPath = scrub(request.path, secrets)
  const current: Attempt = { transport, request, shownPath, secrets, deadline, key, cached }
  const response = await connect(current, token, bypassCache)
  const limits = readLimits(response.headers, transport.clock.now())
  if (limits !== undefined) transport.onLimits?.(limits)
  return receive(current, response, limits)
}

async function connect(current: Attempt, token: string, bypassCache: boolean): Promise<Response> {
  const { transport, request, deadline, cached } = current
  const headers = new Headers({
    'user-agent': 'bellhop',
    accept: request.endpoint.format === 'text' ? '*/*' : 'application/json',
  })
  if (token !== '' && transport.tokenKind === 'bearer') headers.set('authorization', `Bearer ${token}`)
  else if (token !== '') headers.set('private-token', token)
  if (cached !== undefined) headers.set('if-none-match', cached.tag)
  // Else fetch adds `no-cache` to a request with a tag, and the service may send the whole body.
  if (cached !== undefined) headers.set('cache-control', 'max-age=0')
  else if (bypassCache) headers.set('cache-control', 'no-cache')
  // A form names its own boundary: fetch sets that content type.
  if (typeof request.body === 'string') headers.set('content-type', 'application/json')
  try {
    return await transport.fetch(`${transport.base}${request.path}${request.query}`, {
      method: request.endpoint.method,
      headers,
      body: request.body ?? null,
      // fetch would send the token to wherever a redirect points.
      redirect: 'manual',
      signal: deadline,
    })
  } catch (error) {
    throw brokenConnection(current, error, undefined)
  }
}

async function receive(current: Attempt, response: Response, limits: RateLimits | undefined): Promise<SendResult> {
  const { status, headers } = response
  const { cached, shownPath } = current
  const { endpoint } = current.request
  if (status === 304 && cached !== undefined) {
    // With the headers of this response: a list may have a next page by now.
    return { response: readResponse(endpoint, { ...cached, headers, limits }), status, headers, shownPath }
  }
  if (!response.ok && !(status === 304 && 304 in endpoint.responses)) throw await errorResponse(current, response)
  const parsed = await readSuccess(current, response, limits)
  const refusal = endpoint.errorInBody === true ? refusalIn(parsed.body) : undefined
  if (refusal !== undefined) {
    const serviceMessage = readServiceMessage(refusal.text, (message) => scrub(message, current.secrets))
    throw failure(current, { kind: 'refused', status: refusal.status, serviceMessage, mayHaveBeenApplied: false })
  }
  return { response: parsed, status, headers, shownPath }
}

async function readSuccess(current: Attempt, response: Response, limits: RateLimits | undefined) {
  const { status, headers } = response
  try {
    const bytes = await readBytes(response, current.transport.maxResponseBytes)
    const parsed = readResponse(current.request.endpoint, { status, headers, bytes, limits })
    cacheBody(current, { status, bytes }, headers.get('etag'))
    return parsed
  } catch (error) {
    // The call was applied, but its response cannot be used.
    if (error instanceof UnreadableBody)
      throw failure(current, { kind: 'unreadable', status, detail: error.message, mayHaveBeenApplied: true })
    throw brokenConnection(current, error, status)
  }
}

/** The refusal that a service result with a success status tells. */
function refusalIn(body: unknown): { status: number; text: string } | undefined {
  if (!isMap(body) || body.status !== 'error') return undefined
  const { http_status } = body
  const isRefusal = typeof http_status === 'number' && http_status >= 400 && http_status < 500
  return { status: isRefusal ? http_status : 406, text: JSON.stringify({ message: body.message }) }
}

function cacheBody({ transport, key }: Attempt, body: Omit<CachedResponse, 'tag'>, tag: string | null): void {
  if (key === undefined) return
  if (tag === null) transport.cache.delete(key)
  else transport.cache.set(key, { ...body, tag })
}

async function errorResponse(current: Attempt, response: Response): Promise<ServiceError> {
  const { secrets, transport } = current
  const { status, headers } = response
  // The status counts even if the body breaks off.
  const bytes = await readBytes(response, ERROR_BODY_BYTES).catch(() => new Uint8Array())
  const text = new TextDecoder().decode(bytes)
  const kind = kindOf(status)
  return failure(current, {
    kind,
    status,
    serviceMessage: kind === 'redirected' ? undefined : readServiceMessage(text, (message) => scrub(message, secrets)),
    detail: kind === 'redirected' ? scrub(destination(headers.get('location')), secrets) : undefined,
    retryAfterMs: readRetryAfter(status, headers, transport.clock.now()),
    mayHaveBeenApplied: status >= 500 || status === 408,
    tokenRejected: rejectsToken(text),
  })
}

function kindOf(status: number): ServiceErrorKind {
  if (status === 429) return 'rate_limited'
  if (status >= 500) return 'failing'
  return status >= 400 ? 'refused' : 'redirected'
}

/** Without the query, which may hold a secret. */
function destination(location: string | null): string {
  const target = location !== null && URL.canParse(location) ? new URL(location) : undefined
  return target === undefined
    ? 'a redirect, which is not followed'
    : `a redirect to ${target.origin}${target.pathname}, which is not followed`
}

function brokenConnection(current: Attempt, error: unknown, status: number | undefined): ServiceError {
  const { secrets, deadline, transport } = current
  const timedOut = deadline.aborted
  const cause = safeCause(error, secrets)
  const reason =
    status === undefined
      ? rootMessage(cause)
      : `the connection broke in the middle of the response (${rootMessage(cause)})`
  return failure(current, {
    kind: timedOut ? 'timeout' : 'unreachable',
    status,
    detail: timedOut ? `no complete response within ${transport.timeoutMs} ms` : reason,
    mayHaveBeenApplied: status !== undefined || !causes(error).some((each) => NEVER_CONNECTED.has(errorCode(each))),
    cause,
  })
}

/** A GET never counts as applied. */
function failure({ request, shownPath }: Attempt, facts: Omit<ServiceErrorFacts, 'target' | 'path'>): ServiceError {
  const { endpoint } = request
  const mayHaveBeenApplied = endpoint.method !== 'GET' && facts.mayHaveBeenApplied
  return new ServiceError({ ...facts, mayHaveBeenApplied, target: endpoint, path: shownPath })
}

/** Bounded: causes may form a cycle. */
function causes(error: unknown, depth = 0): unknown[] {
  return error instanceof Error && depth < 5 ? [error, ...causes(error.cause, depth + 1)] : []
}

/** fetch's own message is always `fetch failed`; its cause says more. */
function rootMessage(error: Error | undefined): string {
  return error?.cause instanceof Error ? rootMessage(error.cause) : (error?.message ?? 'no reason given')
}
