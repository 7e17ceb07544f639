// What is read for each scrape or page, but not too often.
import { JournalUnavailable } from '../../journal/errors.ts'

/** Reads at most once in `cacheMs`. */
export function cached<T>(
  read: () => Promise<T>,
  { cacheMs, now }: { cacheMs: number; now: () => number },
): () => Promise<T> {
  let last: { at: number; value: Promise<T> } | undefined
  return () => {
    // Reads again if the clock was set back.
    if (last === undefined || now() < last.at || now() - last.at >= cacheMs) last = { at: now(), value: read() }
    return last.value
  }
}

/** Undefined while the journal does not respond. */
export function orUnavailable(error: unknown): undefined {
  if (!(error instanceof JournalUnavailable)) throw error
}
