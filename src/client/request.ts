// Turns an endpoint and its parameters into path, query and body: strict in what is sent.
import { contradictions, underAllNames } from '../api/aliases.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { type CallProblem, InvalidCallError } from './errors.ts'

type CallParams = Readonly<Record<string, unknown>>

export interface PreparedRequest {
  endpoint: Endpoint
  /** Relative to `/api/v4`, encoded, without query. */
  path: string
  /** Empty, or with its question mark. */
  query: string
  /** JSON, or a form if it has a file; undefined without parameters. */
  body: string | FormData | undefined
  /** Secrets among the parameters, which must not appear in any text. */
  secrets: readonly string[]
}

/**
 * Checks the parameters against the contract and encodes them. `undefined` counts as absent; 0, '' and false are
 * sent. Throws InvalidCallError.
 */
export function prepareRequest(endpoint: Endpoint, params: CallParams): PreparedRequest {
  const problems = findProblems(endpoint, params)
  if (problems.length > 0) throw new InvalidCallError(endpoint.name, problems)
  const body = Object.fromEntries(pick(endpoint.body, params))
  return {
    endpoint,
    path: encodePath(endpoint, params),
    query: encodeQuery(endpoint, pick(endpoint.query, params)),
    body: encodeBody(underAllNames(body)),
    secrets: secretsOf(body),
  }
}

/** A hook's secrets, and the password in an address to import from. */
function secretsOf({ token, signing_token, import_url }: CallParams): string[] {
  const address = typeof import_url === 'string' && URL.canParse(import_url) ? new URL(import_url) : undefined
  // The user part may be a token.
  const password = address?.password || address?.username || ''
  return [token, signing_token, password, decoded(password)].filter(
    (each): each is string => typeof each === 'string' && each !== '',
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function findProblems(endpoint: Endpoint, params: CallParams): CallProblem[] {
  const schemas = { ...endpoint.pathParams, ...endpoint.query, ...endpoint.body }
  const known = Object.entries(schemas).flatMap(([key, schema]) => {
    const checked = schema.safeParse(given(params, key))
    return checked.success
      ? []
      : checked.error.issues.map((issue) => ({ at: [key, ...issue.path].join('.'), problem: issue.message }))
  })
  const unknown = Object.keys(params).filter((key) => !Object.hasOwn(schemas, key))
  const names = Object.keys(schemas).join(', ') || 'none'
  const problems = [...known, ...unknown.map((key) => ({ at: key, problem: `unknown parameter (allowed: ${names})` }))]
  if (endpoint.needsOneOf === true && pick(endpoint.body, params).length === 0) {
    problems.push({ at: 'body', problem: `at least one is required of ${Object.keys(endpoint.body).join(', ')}` })
  }
  const missing = (endpoint.alwaysSent ?? []).filter((key) => given(params, key) === undefined)
  problems.push(...missing.map((at) => ({ at, problem: 'is always sent, since the service may require it' })))
  return [...problems, ...findClashes(endpoint, params)]
}

/** `labels` replaces all labels: together with adding or removing, the result would depend on the service's order. */
function findClashes(endpoint: Endpoint, params: CallParams): CallProblem[] {
  const body = Object.fromEntries(pick(endpoint.body, params))
  const differences = ['add_labels', 'remove_labels'].filter(
    (key) => body.labels !== undefined && body[key] !== undefined,
  )
  return [
    ...differences.map((at) => ({ at, problem: 'cannot be sent together with labels, which replaces all' })),
    ...contradictions(body).map(([other, at]) => ({
      at,
      problem: `is another name of ${other}, and has another value`,
    })),
  ]
}

function given(params: CallParams, key: string): unknown {
  return Object.hasOwn(params, key) ? params[key] : undefined
}

function pick(shape: object, params: CallParams): [string, unknown][] {
  return Object.keys(shape).flatMap((key): [string, unknown][] => {
    const value = given(params, key)
    return value === undefined ? [] : [[key, value]]
  })
}

/** `:id` as a number, or as a path with its slashes encoded. */
function encodePath(endpoint: Endpoint, params: CallParams): string {
  return endpoint.path.replaceAll(/:([a-z_]+)/g, (_, key: string) => {
    const text = String(given(params, key))
    // A URL parser drops such a segment even when encoded: the call would reach another endpoint.
    if (text === '.' || text === '..')
      throw new InvalidCallError(endpoint.name, [{ at: key, problem: `cannot be "${text}"` }])
    return encode(endpoint, key, text)
  })
}

function encodeQuery(endpoint: Endpoint, pairs: [string, unknown][]): string {
  const parts = pairs.flatMap(([key, value]) => {
    const name = encode(endpoint, key, key)
    if (typeof value !== 'object' || value === null) return [`${name}=${encode(endpoint, key, String(value))}`]
    const entries = Object.entries(value)
    // Fails closed: a query cannot carry an empty list, and without the filter the service would return everything.
    if (entries.length === 0)
      throw new InvalidCallError(endpoint.name, [{ at: key, problem: 'an empty list cannot be sent' }])
    return entries.map(([field, each]) => {
      const index = Array.isArray(value) ? '' : encodeField(endpoint, key, field)
      return `${name}[${index}]=${encode(endpoint, key, String(each))}`
    })
  })
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

/** Fails closed: a misread field would not filter. */
function encodeField(endpoint: Endpoint, key: string, field: string): string {
  if (field !== '' && !/[[\]]/.test(field)) return encode(endpoint, key, field)
  throw new InvalidCallError(endpoint.name, [{ at: `${key}.${field}`, problem: 'cannot be empty or hold brackets' }])
}

function encode(endpoint: Endpoint, key: string, text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    throw new InvalidCallError(endpoint.name, [{ at: key, problem: 'holds half a character (a lone surrogate)' }])
  }
}

/** Undefined for no body. */
function encodeBody(body: Readonly<Record<string, unknown>>): string | FormData | undefined {
  const pairs = Object.entries(body)
  if (pairs.length === 0) return undefined
  return pairs.some(([, value]) => value instanceof Blob) ? formOf(pairs) : JSON.stringify(body)
}

function formOf(pairs: readonly [string, unknown][]): FormData {
  const form = new FormData()
  for (const [key, value] of pairs) {
    if (value instanceof Blob) form.append(key, value)
    // A form has no empty list: an empty text clears the value.
    else if (Array.isArray(value) && value.length === 0) form.append(key, '')
    else if (Array.isArray(value)) for (const each of value) form.append(`${key}[]`, String(each))
    else form.append(key, String(value))
  }
  return form
}
