// Sweep, first half: merge requests or issues that changed since the last sweep, newest first, in any state.
import type { Context } from '../context.ts'
import { type ListedEntry, type ListReading, readList } from './list-pages.ts'
import { changesAfter, type ListMark } from './sweep-mark.ts'

interface ChangesReading extends ListReading {
  /** Queues one; false when the budget is used up. */
  enqueue: (entry: ListedEntry, why: 'changed') => Promise<boolean>
}

export interface SweptChanges {
  /** Newest `updated_at`; -Infinity: none. */
  seen: number
  /** The service's clock at the first page; absent if it does not say. */
  serviceNow?: number | undefined
  /** Changes not reached; absent: none. */
  left?: ListMark['left']
}

/** In milliseconds of the service's clock; NaN if it does not say. */
export function updatedAt({ updated_at }: ListedEntry): number {
  return Date.parse(updated_at ?? '')
}

/** Queues what changed since the mark, and what an earlier sweep did not reach. Throws what the client throws. */
export async function sweepChanges(context: Context, reading: ChangesReading, mark: ListMark): Promise<SweptChanges> {
  const after = changesAfter(mark)
  const latest = await newestFirst(context, reading, { after: after ?? Number.POSITIVE_INFINITY, page: 1 })
  const { left } = mark
  if (latest.left !== undefined) {
    // Joins the two gaps: what lies between them is read twice rather than not at all.
    return { ...latest, left: { ...latest.left, after: Math.min(latest.left.after, left?.after ?? latest.left.after) } }
  }
  if (left === undefined) return latest
  // New changes moved the rest to later pages. One page earlier, because some may have been deleted.
  const rest = await newestFirst(context, reading, { ...left, page: Math.max(1, left.page - 1) })
  return { ...latest, seen: Math.max(latest.seen, rest.seen), left: rest.left }
}

async function newestFirst(
  context: Context,
  reading: ChangesReading,
  { after, before = Number.POSITIVE_INFINITY, page }: NonNullable<ListMark['left']>,
): Promise<SweptChanges> {
  let seen = Number.NEGATIVE_INFINITY
  let serviceNow: number | undefined
  let leftBefore: number | undefined
  const end = await readList(context, reading, { state: 'all', page }, async (entries, { date }) => {
    serviceNow ??= date
    const times = entries.map(updatedAt)
    seen = Math.max(seen, ...times.filter((time) => !Number.isNaN(time)))
    // Whole pages decide: a service that orders otherwise must not end the sweep at one old entry.
    const ordered = times.every((time, at) => at === 0 || time <= (times[at - 1] ?? Number.NaN))
    leftBefore = ordered ? times.at(-1) : undefined
    for (const [at, entry] of entries.entries()) {
      const time = times[at] ?? Number.NaN
      if (!(time > after && time <= before)) continue
      if (await reading.enqueue(entry, 'changed')) continue
      leftBefore = ordered ? time : undefined
      return 'cut'
    }
    return ordered && times.some((time) => time <= after) ? 'enough' : 'on'
  })
  if (end.is === 'end') return { seen, serviceNow }
  return { seen, serviceNow, left: { after, before: leftBefore, page: end.page } }
}
