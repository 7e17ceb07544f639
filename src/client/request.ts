// Turns an endpoint and its flat parameters into path, query and body: strict in what is sent (DESIGN §5).
import type { Endpoint } from '../api/endpoint.ts'
import { type CallProblem, InvalidCallError } from './errors.ts'

type CallParams = Readonly<Record<string, unknown>>

export interface PreparedRequest {
  endpoint: Endpoint
  /** Relative to `/api/v4`, encoded, without query. */
  path: string
  /** Empty, or with its question mark. */
  query: string
  /** JSON; undefined when there is nothing to say. */
  body: string | undefined
  /** Values among the parameters that must not appear in any text, e.g. a hook's secret token. */
  secrets: readonly string[]
}

/**
 * Checks the parameters against the contract and encodes them. `undefined` counts as not given; 0, '' and false are sent.
 * Throws InvalidCallError for an unknown, missing or odd parameter.
 */
export function prepareRequest(endpoint: Endpoint, params: CallParams): PreparedRequest {
  const problems = findProblems(endpoint, params)
  if (problems.length > 0) throw new InvalidCallError(endpoint.name, problems)
  const body = pick(endpoint.body, params)
  return {
    endpoint,
    path: encodePath(endpoint, params),
    query: encodeQuery(endpoint, pick(endpoint.query, params)),
    body: body.length === 0 ? undefined : JSON.stringify(Object.fromEntries(body)),
    secrets: body.flatMap(([key, value]) => (key === 'token' && typeof value === 'string' ? [value] : [])),
  }
}

function findProblems(endpoint: Endpoint, params: CallParams): CallProblem[] {
  const schemas = { ...endpoint.pathParams, ...endpoint.query, ...endpoint.body }
  const known = Object.entries(schemas).flatMap(([key, schema]) => {
    const checked = schema.safeParse(given(params, key))
    return checked.success ? [] : checked.error.issues.map((issue) => ({ at: [key, ...issue.path].join('.'), problem: issue.message }))
  })
  const unknown = Object.keys(params).filter((key) => !Object.hasOwn(schemas, key))
  const names = Object.keys(schemas).join(', ') || 'none'
  const problems = [...known, ...unknown.map((key) => ({ at: key, problem: `unknown parameter (allowed: ${names})` }))]
  if (endpoint.needsOneOf === true && pick(endpoint.body, params).length === 0) {
    problems.push({ at: 'body', problem: `at least one is required of ${Object.keys(endpoint.body).join(', ')}` })
  }
  return problems
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

/** `:id` as a number, or as a path with its slashes encoded (api-v4.md §4). */
function encodePath(endpoint: Endpoint, params: CallParams): string {
  return endpoint.path.replaceAll(/:([a-z_]+)/g, (_, key: string) => {
    const text = String(given(params, key))
    // A URL parser drops such a segment even when it is encoded: the call would reach another endpoint.
    if (text === '.' || text === '..') throw new InvalidCallError(endpoint.name, [{ at: key, problem: `cannot be "${text}"` }])
    return encode(endpoint, key, text)
  })
}

function encodeQuery(endpoint: Endpoint, pairs: [string, unknown][]): string {
  const parts = pairs.flatMap(([key, value]) => {
    const name = encode(endpoint, key, key)
    if (!Array.isArray(value)) return [`${name}=${encode(endpoint, key, String(value))}`]
    // Fails closed: a query cannot carry an empty list, and without the filter the service would answer everything.
    if (value.length === 0) throw new InvalidCallError(endpoint.name, [{ at: key, problem: 'an empty list cannot be sent' }])
    return value.map((each) => `${name}[]=${encode(endpoint, key, String(each))}`)
  })
  return parts.length === 0 ? '' : `?${parts.join('&')}`
}

function encode(endpoint: Endpoint, key: string, text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    throw new InvalidCallError(endpoint.name, [{ at: key, problem: 'holds half a character (a lone surrogate)' }])
  }
}
