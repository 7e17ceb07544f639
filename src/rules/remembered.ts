// Pure functions that remember their results: what rules are made of is compiled once, not for every merge request.

/** `make` with its newest `most` results kept by key. Only for functions of the key alone. */
export function remembered<V>(most: number, make: (key: string) => V): (key: string) => V {
  const kept = new Map<string, V>()
  return (key) => {
    const before = kept.get(key)
    const value = before ?? make(key)
    // The oldest goes first; what is asked for again becomes the newest.
    if (before !== undefined) kept.delete(key)
    kept.set(key, value)
    if (kept.size > most) {
      const [oldest] = kept.keys()
      if (oldest !== undefined) kept.delete(oldest)
    }
    return value
  }
}

/** `make` with its result kept for as long as what it was made of is at hand, and not changed. */
export function keptWith<K extends object, V>(make: (from: K) => V): (from: K) => V {
  const kept = new WeakMap<K, { value: V }>()
  return (from) => {
    const before = kept.get(from)
    if (before !== undefined) return before.value
    const value = make(from)
    kept.set(from, { value })
    return value
  }
}
