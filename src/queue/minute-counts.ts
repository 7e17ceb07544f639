// Counts something per key within a minute, which begins with the first count.

const WINDOW_MS = 60_000

interface MinuteCount {
  since: number
  count: number
}

/** Returns a function to the present minute's counter of a key; the caller changes its `count`. */
export function createMinuteCounts<K>(now: () => number): (key: K) => MinuteCount {
  const counts = new Map<K, MinuteCount>()
  return (key) => {
    const at = now()
    // A clock set back starts a new minute.
    const isOver = ({ since }: MinuteCount) => at < since || at - since >= WINDOW_MS
    const known = counts.get(key)
    if (known !== undefined && !isOver(known)) return known
    for (const [each, window] of counts) if (isOver(window)) counts.delete(each)
    const fresh = { since: at, count: 0 }
    counts.set(key, fresh)
    return fresh
  }
}
