// The errors of a call: the service refused or failed (ServiceError), or the call itself is wrong (InvalidCallError);
// and how the token and other secrets are kept out of every text that leaves the client.
import type { Endpoint, Method } from '../api/endpoint.ts'
import { isMap } from '../api/json.ts'

export type ServiceErrorKind =
  | 'unreachable'
  | 'timeout'
  | 'redirected'
  | 'refused'
  | 'rate_limited'
  | 'failing'
  | 'unreadable'

export interface ServiceErrorFacts {
  kind: ServiceErrorKind
  /** The request, without query: query values may be private. */
  target: Pick<Endpoint, 'name' | 'method' | 'errors' | 'means'>
  path: string
  status?: number
  serviceMessage?: string
  /** For the message if there is no `serviceMessage`. */
  detail?: string
  retryAfterMs?: number
  mayHaveBeenApplied: boolean
  /** The service named the token itself as the cause (`invalid_token`). */
  tokenRejected?: boolean
  cause?: unknown
}

/**
 * Decide by `kind`, `status`, `means` and `mayHaveBeenApplied`, never by the message. No text contains the token.
 */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly kind: ServiceErrorKind
  /** The endpoint's name in the contract. */
  readonly endpoint: string
  readonly method: Method
  /** Relative to `/api/v4`, without query. */
  readonly path: string
  readonly status: number | undefined
  /** The service's own message. */
  readonly serviceMessage: string | undefined
  /** Undefined if the service does not say. */
  readonly retryAfterMs: number | undefined
  /** The call may have been applied although no success was seen: read the state first. */
  readonly mayHaveBeenApplied: boolean
  /** What the endpoint declares for this status. */
  readonly means: 'already' | 'moved' | 'not_now' | undefined
  /** The token lacks a permission: 403, or a 401 that the endpoint declares. Another 401 is a bad token. */
  readonly missingPermission: boolean

  constructor(facts: ServiceErrorFacts) {
    super(sentence(facts), facts.cause === undefined ? undefined : { cause: facts.cause })
    const { target, status } = facts
    this.kind = facts.kind
    this.endpoint = target.name
    this.method = target.method
    this.path = facts.path
    this.status = status
    this.serviceMessage = facts.serviceMessage
    this.retryAfterMs = facts.retryAfterMs
    this.mayHaveBeenApplied = facts.mayHaveBeenApplied
    this.means = status === undefined ? undefined : target.means?.[status]
    this.missingPermission =
      facts.tokenRejected !== true &&
      (status === 403 || (status === 401 && target.errors !== undefined && 401 in target.errors))
  }
}

function sentence({ target, path, status, serviceMessage, detail, kind }: ServiceErrorFacts): string {
  const call = `${target.method} ${path}`
  const reason = serviceMessage ?? detail
  const words = reason === undefined ? '' : `: ${reason}`
  if (status === undefined && kind === 'rate_limited') return `${call} was not sent${words}`
  if (status === undefined) return kind === 'timeout' ? `${call} was given up${words}` : `${call} got no answer${words}`
  return `${call} answered ${status}${words}`
}

export interface CallProblem {
  /** The parameter, or `endpoint`. */
  at: string
  problem: string
}

/** Nothing was sent. The problems never quote a value. */
export class InvalidCallError extends Error {
  override readonly name = 'InvalidCallError'
  readonly endpoint: string
  readonly problems: readonly CallProblem[]

  constructor(endpoint: string, problems: readonly CallProblem[]) {
    super(`${endpoint} was not called: ${problems.map(({ at, problem }) => `${at}: ${problem}`).join('; ')}`)
    this.endpoint = endpoint
    this.problems = problems
  }
}

const HIDDEN = '[hidden]'
const CAUSE_DEPTH = 5

/** Replaces all secrets, also URL-encoded: services echo what they get. */
export function scrub(text: string, secrets: readonly string[]): string {
  return (
    secrets
      .filter((secret) => secret !== '')
      .toSorted((a, b) => b.length - a.length)
      // encodeURIComponent throws on half a surrogate pair.
      .flatMap((secret) => [secret, encodeURIComponent(Buffer.from(secret).toString())])
      .reduce((clean, secret) => clean.replaceAll(secret, HIDDEN), text)
  )
}

/**
 * A copy of an error and its causes without secrets: only name, message and code, since other properties may hold the
 * request.
 */
export function safeCause(error: unknown, secrets: readonly string[], depth = 0): Error | undefined {
  if (depth >= CAUSE_DEPTH || error === undefined || error === null) return undefined
  if (!(error instanceof Error)) return new Error(scrub(String(error), secrets))
  const cause = safeCause(error.cause, secrets, depth + 1)
  const code = errorCode(error)
  const text = error.message === '' ? (code ?? error.name) : error.message
  const copy = new Error(scrub(text, secrets), cause === undefined ? undefined : { cause })
  copy.name = error.name
  copy.stack = scrub(error.stack ?? '', secrets)
  return code === undefined ? copy : Object.assign(copy, { code })
}

/** The system's error code (`ECONNREFUSED`), if any. */
export function errorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

const LONGEST = 500

/**
 * One line out of `{"message": …}` (string, object of lists, list), `{"error": …, "error_description": …}`, HTML or
 * plain text; undefined when there is none. `clean` runs before the text is cut, so that no half of a secret remains.
 */
export function readServiceMessage(text: string, clean: (text: string) => string): string | undefined {
  const parsed = parseJson(text)
  const said = parsed === undefined ? plainText(text) : messageIn(parsed)
  // Control characters could control an operator's terminal.
  const line = clean(said.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim())
  if (line === '') return undefined
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line
}

/** The service names the token as the cause, also if a 401 otherwise means a missing permission. */
export function rejectsToken(text: string): boolean {
  const parsed = parseJson(text)
  return isMap(parsed) && parsed.error === 'invalid_token'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function messageIn(body: unknown): string {
  if (!isMap(body)) return flatten(body)
  if (body.message !== undefined) return flatten(body.message)
  const parts = [flatten(body.error), flatten(body.error_description)].filter((each) => each !== '')
  return parts.length > 0 ? parts.join(': ') : flatten(body)
}

/** The depth is bounded against hostile responses. */
function flatten(value: unknown, depth = 0): string {
  if (value === null || value === undefined || depth > 4) return ''
  if (Array.isArray(value)) return joined(value.map((each) => flatten(each, depth + 1)))
  if (!isMap(value)) return String(value)
  // `base` and `error` are no field names.
  return joined(
    Object.entries(value).map(([key, each]) => {
      const words = flatten(each, depth + 1)
      return words === '' || key === 'base' || key === 'error' ? words : `${key}: ${words}`
    }),
  )
}

function joined(words: string[]): string {
  return words.filter((each) => each !== '').join(', ')
}

/** Of a page the title; nothing if that has numeric entities, in which no search would find a token. */
function plainText(text: string): string {
  if (!/<(?:!doctype|html|head|body|title|h1)\b/i.test(text)) return text
  const [, title = ''] = /<title>([^<]*)</i.exec(text) ?? []
  return title.includes('&#') ? '' : title.replaceAll(/&\w+;/g, ' ')
}
