// Reads a response tolerantly: unknown fields stay, invalid values become absent; and what its headers say of limits.
import type { z } from 'zod'
import { fillContractNames } from '../api/aliases.ts'
import type { Endpoint } from '../api/endpoint.ts'
import { isMap, valueAt } from '../api/json.ts'

export interface ApiResponse<B> {
  status: number
  body: B
  /** Absent if the service sends no page headers. */
  page?: { next?: number; total?: number }
  limits?: RateLimits
  /** The service's clock, in milliseconds since 1970 (whole seconds); absent if it does not say. */
  date?: number
}

export interface Raw {
  status: number
  headers: Headers
  bytes: Uint8Array
  limits?: RateLimits
}

/** The sender turns it into a ServiceError that knows the call. */
export class UnreadableBody extends Error {}

/** The body, up to `limit` bytes after decompression. Throws UnreadableBody beyond, and what the connection throws. */
export async function readBytes(response: Response, limit: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const part of response.body ?? []) {
    size += part.byteLength
    // Leaving the loop cancels the download of the rest.
    if (size > limit) throw new UnreadableBody(`the response is larger than ${limit} bytes`)
    chunks.push(part)
  }
  return Buffer.concat(chunks)
}

/** Throws UnreadableBody if the body is not JSON, or not a list although a list is declared. */
export function readResponse(endpoint: Endpoint, raw: Raw): ApiResponse<unknown> {
  const { status, headers } = raw
  const next = readNextPage(headers)
  const total = wholeNumber(headers.get('x-total'))
  return {
    status,
    body: readBody(endpoint, raw),
    page: next.number === undefined && total === undefined ? undefined : { next: next.number, total },
    limits: raw.limits,
    date: readDate(headers),
  }
}

function readDate(headers: Headers): number | undefined {
  const date = Date.parse(headers.get('date') ?? '')
  return Number.isNaN(date) ? undefined : date
}

function readBody(endpoint: Endpoint, { status, bytes }: Raw): unknown {
  // A file is returned byte for byte, its byte order mark included.
  if (endpoint.format === 'text') return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const schema = endpoint.responses[status] ?? Object.values(endpoint.responses)[0]
  // An empty body is declared as null.
  if (schema?.safeParse(null).success === true) return null
  const text = new TextDecoder().decode(bytes)
  const parsed = text.trim() === '' ? undefined : parse(text)
  fillContractNames(parsed)
  return tolerate(schema, parsed)
}

type Schema = Endpoint['responses'][number]

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Without the parser's error as cause: it quotes parts of the body, perhaps half a secret.
    throw new UnreadableBody('the response is not JSON')
  }
}

/**
 * Removes from `raw` what does not fit the schema; the rest stays, unknown fields included.
 * An invalid entry makes its whole list absent: a shorter list would be taken for complete.
 */
function tolerate(schema: Schema | undefined, raw: unknown): unknown {
  const checked = schema?.safeParse(raw)
  if (checked === undefined || checked.success) return raw
  for (const path of invalidPaths(checked.error.issues, raw)) {
    const lastField = path.findLastIndex((step) => typeof step === 'string')
    if (lastField === -1) return invalidRoot(path.length > 0 || schema?.safeParse([]).success === true)
    removeAt(raw, path.slice(0, lastField + 1))
  }
  return raw
}

/** The paths of unexpected values; for alternatives (a built-in or an external issue), those that lose the fewest. */
function invalidPaths(issues: readonly z.core.$ZodIssue[], raw: unknown): PropertyKey[][] {
  return issues.flatMap((issue) => {
    if (issue.code !== 'invalid_union') return [issue.path]
    const alternatives = issue.errors
      .map((errors) => invalidPaths(errors, valueAt(raw, issue.path)))
      .filter((paths) => paths.every((path) => path.length > 0))
      .map((paths) => ({
        paths,
        lost: paths.filter((path) => valueAt(raw, [...issue.path, ...path]) !== undefined).length,
      }))
      .sort((a, b) => a.lost - b.lost)
    return alternatives[0]?.paths.map((path) => [...issue.path, ...path]) ?? [issue.path]
  })
}

/** Fails closed: an empty list would say that there are no entries. */
function invalidRoot(listExpected: boolean): Record<string, unknown> {
  if (listExpected) throw new UnreadableBody('the response is not the list that was expected')
  return {}
}

function removeAt(raw: unknown, path: readonly PropertyKey[]): void {
  const [step, ...rest] = path
  if (step === undefined) return
  if (Array.isArray(raw)) removeAt(raw[Number(step)], rest)
  else if (isMap(raw) && rest.length > 0) removeAt(raw[String(step)], rest)
  else if (isMap(raw)) delete raw[String(step)]
}

/** The next page of a list: the Link header, else x-next-page. Never throws. */
export function readNextPage(headers: Headers) {
  const link = headers.get('link')
  const nextHeader = headers.get('x-next-page')
  const next = link === null ? undefined : findNext(link)
  return {
    /** Not yet checked against the configured host. */
    link: next,
    number: wholeNumber(nextHeader) ?? (next === undefined ? undefined : pageOf(next)),
    /** If they name no next one, the list ends here. */
    hasPageHeaders: link !== null || nextHeader !== null,
  }
}

function findNext(header: string): string | undefined {
  for (const [, url, parameters] of header.matchAll(/<([^<>]*)>([^<]*)/g)) {
    if (/;\s*rel\s*=\s*"?next\b/i.test(parameters ?? '')) return url
  }
  return undefined
}

function pageOf(link: string): number | undefined {
  const base = 'http://base.invalid'
  return URL.canParse(link, base) ? wholeNumber(new URL(link, base).searchParams.get('page')) : undefined
}

/** An absurd value must not pause a service forever. */
const LONGEST_MS = 24 * 60 * 60 * 1000

export interface RateLimits {
  remaining?: number
  /** When the window ends, in milliseconds since 1970. */
  resetAt?: number
}

/** Undefined if the service does not say. The reset is corrected by the difference of the clocks. */
export function readLimits(headers: Headers, now: number): RateLimits | undefined {
  const remaining = wholeNumber(headers.get('ratelimit-remaining'))
  const reset = wholeNumber(headers.get('ratelimit-reset'))
  if (remaining === undefined && reset === undefined) return undefined
  // The service's date has whole seconds: a difference below one counts as none.
  const ahead = now - (readDate(headers) ?? now)
  const correction = Math.abs(ahead) < 1000 ? 0 : ahead
  return { remaining, resetAt: reset === undefined ? undefined : reset * 1000 + correction }
}

/** Retry-After in seconds or as a date; for 429 without it, RateLimit-Reset. Undefined when none can be read. */
export function readRetryAfter(status: number, headers: Headers, now: number): number | undefined {
  const resetAt = status === 429 ? readLimits(headers, now)?.resetAt : undefined
  const delayMs = fromRetryAfter(headers.get('retry-after'), now) ?? (resetAt === undefined ? undefined : resetAt - now)
  return delayMs === undefined ? undefined : Math.min(Math.max(delayMs, 0), LONGEST_MS)
}

function fromRetryAfter(value: string | null, now: number): number | undefined {
  const seconds = wholeNumber(value)
  if (seconds !== undefined) return seconds * 1000
  // Date.parse takes bare numbers and fragments for dates; an HTTP date always names its month.
  if (value === null || !/[A-Za-z]{3}/.test(value)) return undefined
  const at = Date.parse(value)
  return Number.isNaN(at) ? undefined : at - now
}

/** Undefined unless the text is a whole number of at most 15 digits. */
function wholeNumber(value: string | null): number | undefined {
  return value !== null && /^\s*\d{1,15}\s*$/.test(value) ? Number(value) : undefined
}
