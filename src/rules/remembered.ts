// Pure functions that remember their results: what rules are made of is compiled once, not for every merge request.

/** `make` with its results kept for the newest `most` keys; objects are keys by themselves, and must not change. Only for functions of the key alone. */
export function remembered<K, V>(most: number, make: (key: K) => V): (key: K) => V {
  const kept = new Map<K, { key: K; value: V }>()
  let last: { key: K; value: V } | undefined
  return (key) => {
    if (last?.key === key) return last.value
    const before = kept.get(key)
    // The oldest goes first; what is asked for again becomes the newest.
    if (before !== undefined) kept.delete(key)
    last = before ?? { key, value: make(key) }
    kept.set(key, last)
    if (kept.size > most) kept.delete(kept.keys().next().value as K)
    return last.value
  }
}

/** How many lists of texts are remembered at a time: a few of each evaluation that is under way. What is kept with the lists themselves (a WeakMap) lasts until everything is collected, and costs more. */
export const MOST_LISTS = 64
