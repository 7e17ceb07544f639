// Reads the times that services send.

/** Epoch milliseconds of `2017-09-15T16:50:55.123Z`, `2017-09-15 16:50:55 UTC` or with an offset; else undefined. */
export function parseTime(text: unknown): number | undefined {
  if (
    typeof text !== 'string' ||
    !/^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}:\d{2}(?:\.\d{1,9})? ?(?:Z|UTC|[+-]\d{2}:?\d{2})$/.test(text)
  )
    return undefined
  const time = Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

/** Seconds since then, to the millisecond; negative if the service's clock is ahead. */
export function since(text: unknown, now: string): number | undefined {
  const [then, at] = [parseTime(text), parseTime(now)]
  return then === undefined || at === undefined ? undefined : (at - then) / 1000
}
