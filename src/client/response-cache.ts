// Caches response bodies by their ETag: the next request sends the tag, and 304 means that the body is current.
import { LRUCache } from 'lru-cache'

/** The body of a successful response. */
export interface CachedResponse {
  /** The service's `ETag`, verbatim. */
  tag: string
  status: number
  bytes: Uint8Array
}

export type ResponseCache = Pick<LRUCache<string, CachedResponse>, 'get' | 'set' | 'delete'>

const MAX_BYTES = 16 * 1024 * 1024
// A long list of changes must not evict a hundred merge requests.
const MAX_ENTRY_BYTES = 1024 * 1024
const ENTRY_OVERHEAD_BYTES = 500

/** Evicts the least recently used body; does not store one that is too large. Limits are in bytes. */
export function createResponseCache(maxSize = MAX_BYTES, maxEntrySize = MAX_ENTRY_BYTES): ResponseCache {
  return new LRUCache({
    maxSize,
    maxEntrySize,
    sizeCalculation: ({ bytes }, key) => key.length + bytes.byteLength + ENTRY_OVERHEAD_BYTES,
  })
}
