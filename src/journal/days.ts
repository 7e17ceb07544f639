// Days of UTC.

export const DAY_MS = 24 * 60 * 60 * 1_000

/** Whole days since 1970, of milliseconds since 1970. */
export const dayOf = (ms: number): number => Math.floor(ms / DAY_MS)
