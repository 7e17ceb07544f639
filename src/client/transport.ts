// The dependencies of sending: network, clock, randomness, token, log, cached bodies.
import { LRUCache } from 'lru-cache'
import type { ServiceErrorKind } from './errors.ts'
import type { RateLimits } from './response.ts'

/** How the token is sent: as PRIVATE-TOKEN, or as Bearer, which tokens of OAuth need. */
export type TokenKind = 'private' | 'bearer'

export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after `ms`. */
  sleep(ms: number): Promise<void>
}

/** One line per request for the log: no query, no body, no token. */
export interface RequestLog {
  endpoint: string
  method: string
  path: string
  /** 1 for the first. */
  attempt: number
  durationMs: number
  /** As received: 304 if the cached body is used. */
  status?: number
  kind?: ServiceErrorKind
  /** The request will be repeated after this time. */
  retryInMs?: number
}

export interface Transport {
  /** Ends in `/api/v4`. */
  base: string
  fetch: typeof fetch
  clock: Clock
  /** At least 0, less than 1. */
  random: () => number
  /** Empty for anonymous calls. */
  token: () => string
  tokenKind: TokenKind
  /** For one request and its whole response. */
  timeoutMs: number
  /** The most requests per call, the first included. */
  attempts: number
  /** The longest wait for a retry; a call that needs a longer one fails with `retryAfterMs`. */
  maxWaitMs: number
  maxResponseBytes: number
  cache: ResponseCache
  log: ((line: RequestLog) => void) | undefined
  onLimits: ((limits: RateLimits) => void) | undefined
  /**
   * No request before this time (milliseconds since 1970). A longer wait than `maxWaitMs` fails the call as
   * rate-limited.
   */
  rateLimitedUntil: (() => number) | undefined
}

/** The body of a successful response. */
export interface CachedResponse {
  /** The service's `ETag`, verbatim. */
  tag: string
  status: number
  bytes: Uint8Array
}

type ResponseCache = Pick<LRUCache<string, CachedResponse>, 'get' | 'set' | 'delete'>

const MAX_BYTES = 16 * 1024 * 1024
// A long list of changes must not evict a hundred merge requests.
const MAX_ENTRY_BYTES = 1024 * 1024
const ENTRY_OVERHEAD_BYTES = 500

/**
 * Response bodies by their ETag: the next request sends the tag, and 304 means that the body is current. Evicts the
 * least recently used body; does not store one that is too large. Limits are in bytes.
 */
export function createResponseCache(maxSize = MAX_BYTES, maxEntrySize = MAX_ENTRY_BYTES): ResponseCache {
  return new LRUCache({
    maxSize,
    maxEntrySize,
    sizeCalculation: ({ bytes }, key) => key.length + bytes.byteLength + ENTRY_OVERHEAD_BYTES,
  })
}
