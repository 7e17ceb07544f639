// Caches the results of pure functions, such as compiled patterns.
import { LRUCache } from 'lru-cache'

/** Caches `make` for the `max` most recently used keys. Objects are compared by identity and must not change. */
export function memoize<K extends object | string, V extends object>(max: number, make: (key: K) => V): (key: K) => V {
  const cache = new LRUCache<K, V>({ max, memoMethod: make })
  return (key) => cache.memo(key)
}
