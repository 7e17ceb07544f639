// Limits how many bytes of request bodies are in memory: authenticated bodies wait, unverified ones evict the oldest.
import { E_TIMEOUT, Semaphore, withTimeout } from 'async-mutex'

/** Frees the bytes; a second call does nothing. */
export type ReleaseMemory = () => void

export interface BodyMemory {
  /** Reserves bytes for an authenticated body, first come, first served. Undefined when none were free in time. */
  reserve(bytes: number): Promise<ReleaseMemory | undefined>
  /** Counts a signed body while it arrives. `evict` is called at most once, and never after `verified` or `release`. */
  addUnverified(evict: () => void): UnverifiedBody
}

export interface UnverifiedBody {
  /** Counts bytes that arrived. Evicts the oldest bodies, this one included, until all fit. */
  grow(bytes: number): void
  /** The signature is right: the body stays counted, and is not evicted. */
  verified(): void
  release: ReleaseMemory
}

/** In bytes and milliseconds. */
export interface BodyMemoryLimits {
  authenticated: number
  unverified: number
  waitMs: number
}

/** The semaphore loops over its free units at each release, which is too slow with bytes as units. */
export const bytesPerUnit = 64 * 2 ** 10

/** A body of n bytes takes about six times that, as bytes, text and job. The service waits for ten seconds. */
const defaultLimits = { authenticated: 64 * 2 ** 20, unverified: 32 * 2 ** 20, waitMs: 5_000 }

/**
 * The two limits are separate, so that senders without a secret take no memory from those with one. An unverified body
 * counts by the bytes that arrived, not by those that its headers declare.
 */
export function createBodyMemory(limits: BodyMemoryLimits = defaultLimits): BodyMemory {
  const authenticated = withTimeout(new Semaphore(Math.floor(limits.authenticated / bytesPerUnit)), limits.waitMs)
  const evictable = new Set<{ evict: ReleaseMemory }>()
  let used = 0

  return {
    async reserve(bytes) {
      try {
        const [, release] = await authenticated.acquire(Math.max(Math.ceil(bytes / bytesPerUnit), 1))
        return release
      } catch (error) {
        if (error === E_TIMEOUT) return undefined
        throw error
      }
    },
    addUnverified(onEvict) {
      let bytes = 0
      let isReleased = false
      const release = () => {
        isReleased = true
        evictable.delete(body)
        used -= bytes
        bytes = 0
      }
      const body = {
        evict() {
          release()
          onEvict()
        },
      }
      evictable.add(body)
      return {
        grow(more) {
          if (isReleased) return
          bytes += more
          used += more
          for (const oldest of evictable) {
            if (used <= limits.unverified) return
            oldest.evict()
          }
        },
        verified: () => void evictable.delete(body),
        release,
      }
    },
  }
}
