// A pure function that remembers its last results: what rules are made of is compiled once, not for every merge request.

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
