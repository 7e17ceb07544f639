// Caches the results of pure functions, so that a pattern is compiled once and not for every merge request.
import { LRUCache } from 'lru-cache'

/** `make` with the results of the `max` most recently used keys cached. An object is a key by identity and must not change. */
export function memoize<K extends object | string, V extends object>(max: number, make: (key: K) => V): (key: K) => V {
  const cache = new LRUCache<K, V>({ max, memoMethod: make })
  return (key) => cache.memo(key)
}
