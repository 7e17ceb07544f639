// Totals that are read from the queue and the journal for each scrape, but not too often.
import { JournalUnavailable } from '../../journal/errors.ts'

/** Reads at most once in `cacheMs`; undefined while the journal does not respond. */
export function cachedTotals<T>(
  read: () => Promise<T>,
  { cacheMs, now }: { cacheMs: number; now: () => number },
): () => Promise<T | undefined> {
  let last: { at: number; totals: Promise<T | undefined> } | undefined
  return () => {
    // Reads again if the clock was set back.
    if (last === undefined || now() < last.at || now() - last.at >= cacheMs)
      last = { at: now(), totals: read().catch(orUnavailable) }
    return last.totals
  }
}

function orUnavailable(error: unknown): undefined {
  if (!(error instanceof JournalUnavailable)) throw error
}
