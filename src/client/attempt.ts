// Sends a request once, and says what went wrong in the terms of ServiceError.
import { type Answer, readAnswer, readBytes, UnreadableBody } from './answer.ts'
import { ServiceError, type ServiceErrorFacts, type ServiceErrorKind } from './errors.ts'
import type { KeptAnswer } from './kept-answers.ts'
import type { PreparedRequest } from './request.ts'
import { type Limits, readLimits, readRetryAfter } from './retry-after.ts'
import { errorCode, safeCause, scrub } from './secrets.ts'
import { readServiceMessage, rejectsToken } from './service-message.ts'
import type { Wire } from './wire.ts'

/** The connection was never made, so the call cannot have had an effect. */
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
/** A refusal that is longer explains nothing to a person. */
const ERROR_BODY_BYTES = 1024 * 1024

/** A success, with what reading the next page needs. */
export interface Received {
  answer: Answer<unknown>
  /** As it came: 304 where the body is one that was kept. */
  status: number
  headers: Headers
  /** The path as texts may show it. */
  shownPath: string
}

interface Attempt {
  wire: Wire
  request: PreparedRequest
  shownPath: string
  secrets: readonly string[]
  /** Runs out with the time-out; also held here so that it is not collected before it fires. */
  deadline: AbortSignal
  signal: AbortSignal | undefined
  /** Where its body is kept; undefined of what is no reading. */
  key: string | undefined
  /** The service is asked whether it is still this one. */
  kept: KeptAnswer | undefined
}

interface Once {
  token: string
  signal: AbortSignal | undefined
  anew: boolean
}

/** One request with this token, without repetition. Throws ServiceError, or the reason of the caller's own signal. */
export async function attempt(wire: Wire, request: PreparedRequest, { token, signal, anew }: Once): Promise<Received> {
  signal?.throwIfAborted()
  const deadline = AbortSignal.timeout(wire.timeoutMs)
  const secrets = [token, ...request.secrets]
  const key = keyOf(request, token)
  const kept = anew || key === undefined ? undefined : wire.kept.get(key)
  const current: Attempt = { wire, request, shownPath: scrub(request.path, secrets), secrets, deadline, signal, key, kept }
  const response = await connect(current, token, anew)
  const limits = readLimits(response.headers, wire.clock.now())
  if (limits !== undefined) wire.onLimits?.(limits)
  return receive(current, response, limits)
}

/** What one token may see another may not. */
function keyOf({ endpoint, path, query }: PreparedRequest, token: string): string | undefined {
  return endpoint.method === 'GET' && endpoint.format !== 'text' ? `${token} ${path}${query}` : undefined
}

async function connect(current: Attempt, token: string, anew: boolean): Promise<Response> {
  const { wire, request, deadline, signal, kept } = current
  const headers = new Headers({ 'user-agent': 'bellhop', accept: request.endpoint.format === 'text' ? '*/*' : 'application/json' })
  if (token !== '') headers.set('private-token', token)
  if (kept !== undefined) headers.set('if-none-match', kept.tag)
  // Else fetch says `no-cache` beside a tag, and to that a service may answer with the whole body.
  if (kept !== undefined) headers.set('cache-control', 'max-age=0')
  else if (anew) headers.set('cache-control', 'no-cache')
  // A form names its own boundary: fetch sets that content type.
  if (typeof request.body === 'string') headers.set('content-type', 'application/json')
  try {
    return await wire.fetch(`${wire.base}${request.path}${request.query}`, {
      method: request.endpoint.method,
      headers,
      body: request.body ?? null,
      // fetch would send the token along to wherever the answer points.
      redirect: 'manual',
      signal: signal === undefined ? deadline : AbortSignal.any([deadline, signal]),
    })
  } catch (error) {
    throw brokenConnection(current, error, undefined)
  }
}

async function receive(current: Attempt, response: Response, limits: Limits | undefined): Promise<Received> {
  const { status, headers } = response
  if (status === 304 && current.kept !== undefined) return receiveKept(current, current.kept, headers, limits)
  const declared304 = status === 304 && 304 in current.request.endpoint.answers
  if (!response.ok && !declared304) throw await refusal(current, response)
  try {
    const bytes = await readBytes(response, current.wire.maxAnswerBytes)
    const answer = readAnswer(current.request.endpoint, { status, headers, bytes, limits })
    keep(current, { status, bytes }, headers.get('etag'))
    return { answer, status, headers, shownPath: current.shownPath }
  } catch (error) {
    if (error instanceof UnreadableBody) throw unreadable(current, status, error)
    throw brokenConnection(current, error, status)
  }
}

/** The body that was kept, with all else as the service says it now: only a body is compared, and a list may have a next page by now. */
function receiveKept(current: Attempt, { status, bytes }: KeptAnswer, headers: Headers, limits: Limits | undefined): Received {
  const answer = readAnswer(current.request.endpoint, { status, headers, bytes, limits })
  return { answer, status: 304, headers, shownPath: current.shownPath }
}

function keep({ wire, key }: Attempt, answer: Omit<KeptAnswer, 'tag'>, tag: string | null): void {
  if (key === undefined) return
  if (tag === null) wire.kept.delete(key)
  else wire.kept.put(key, { ...answer, tag })
}

async function refusal(current: Attempt, response: Response): Promise<ServiceError> {
  const { secrets, wire } = current
  const { status, headers } = response
  // The status is the fact; a refusal whose text breaks off is still that refusal.
  const bytes = await readBytes(response, ERROR_BODY_BYTES).catch(() => new Uint8Array())
  const text = new TextDecoder().decode(bytes)
  const kind = kindOf(status)
  return failure(current, {
    kind,
    status,
    serviceMessage: kind === 'redirected' ? undefined : readServiceMessage(text, (said) => scrub(said, secrets)),
    detail: kind === 'redirected' ? scrub(destination(headers.get('location')), secrets) : undefined,
    retryAfterMs: readRetryAfter(status, headers, wire.clock.now()),
    mayHaveBeenApplied: status >= 500 || status === 408,
    tokenRejected: rejectsToken(text),
  })
}

function kindOf(status: number): ServiceErrorKind {
  if (status === 429) return 'rate-limited'
  if (status >= 500) return 'failing'
  return status >= 400 ? 'refused' : 'redirected'
}

/** Without query: it may carry a secret of the other place. */
function destination(location: string | null): string {
  const target = location !== null && URL.canParse(location) ? new URL(location) : undefined
  return target === undefined
    ? 'a redirect, which is not followed'
    : `a redirect to ${target.origin}${target.pathname}, which is not followed`
}

function brokenConnection(current: Attempt, error: unknown, status: number | undefined): unknown {
  const { secrets, deadline, signal, wire } = current
  if (signal?.aborted === true) return signal.reason
  const timedOut = deadline.aborted
  const cause = safeCause(error, secrets)
  const reason = status === undefined ? rootMessage(cause) : `the connection broke in the middle of the answer (${rootMessage(cause)})`
  return failure(current, {
    kind: timedOut ? 'timeout' : 'unreachable',
    status,
    detail: timedOut ? `no complete answer within ${wire.timeoutMs} ms` : reason,
    mayHaveBeenApplied: status !== undefined || !causes(error).some((each) => NEVER_CONNECTED.has(errorCode(each))),
    cause,
  })
}

/** The error for a success whose body cannot be used. The call was carried out. */
function unreadable(current: Attempt, status: number, error: UnreadableBody): ServiceError {
  return failure(current, { kind: 'unreadable', status, detail: error.message, mayHaveBeenApplied: true })
}

/** Reading changes nothing, whatever happened to the answer. */
function failure({ request, shownPath }: Attempt, facts: Omit<ServiceErrorFacts, 'target' | 'path'>): ServiceError {
  const { endpoint } = request
  const mayHaveBeenApplied = endpoint.method !== 'GET' && facts.mayHaveBeenApplied
  return new ServiceError({ ...facts, mayHaveBeenApplied, target: endpoint, path: shownPath })
}

/** Bounded: a chain of causes may lead in a circle. */
function causes(error: unknown, depth = 0): unknown[] {
  return error instanceof Error && depth < 5 ? [error, ...causes(error.cause, depth + 1)] : []
}

/** fetch's own message is always `fetch failed`; what failed is in its cause. */
function rootMessage(error: Error | undefined): string {
  return error?.cause instanceof Error ? rootMessage(error.cause) : (error?.message ?? 'no reason given')
}
