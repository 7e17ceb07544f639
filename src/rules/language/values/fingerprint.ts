// The fingerprint of a rule, which shows that it changed, and a cache for the results of pure functions.

import { LRUCache } from 'lru-cache'
import type { Json } from './rule-types.ts'

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
}

/** Whether they are equal, with keys in any order. */
export const isSameJson = (one: Json, other: Json): boolean => canonical(one) === canonical(other)

/** Equal for equal values with keys in any order. A collision only repeats or omits an action once. */
export function fingerprint(value: Json): string {
  return hashOf(canonical(value))
}

// A separate function, so that V8 compiles this hot loop alone.
function hashOf(text: string): string {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (low >>> 0).toString(16).padStart(8, '0') + (high >>> 0).toString(16).padStart(8, '0')
}

/** Calls `make` once for each object, which must not change. */
export function oncePerObject<K extends object, V>(make: (key: K) => V): (key: K) => V {
  const made = new WeakMap<K, V>()
  return (key) => {
    const before = made.get(key)
    if (before !== undefined) return before
    const value = make(key)
    made.set(key, value)
    return value
  }
}

/** Caches `make` for the `max` most recently used keys. */
export function memoize<V extends object>(max: number, make: (key: string) => V): (key: string) => V {
  const cache = new LRUCache<string, V>({ max, memoMethod: make })
  return (key) => cache.memo(key)
}
