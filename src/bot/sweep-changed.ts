// Sweep, first half: merge requests that changed since the last sweep, newest first, whatever their state (DESIGN §6).
import { changesAfter, type SweepMark } from './sweep-mark.ts'
import { type Listed, type Walk, walk } from './sweep-walk.ts'

/** Wakes one; false when the budget is over. */
export type Wake = (entry: Listed, why: 'changed') => Promise<boolean>

export interface ChangesSeen {
  /** Newest `updated_at` that was seen; -Infinity: none. */
  seen: number
  /** What the service's clock said when the first page was read; absent where it does not say. */
  theirNow?: number | undefined
  /** What is left of the changes; absent: nothing. */
  left?: NonNullable<SweepMark['left']>
}

/** When it was changed last, by the service's clock; NaN where the service does not say. */
export function updatedAt({ updated_at }: Listed): number {
  return Date.parse(updated_at ?? '')
}

/** Wakes what changed since the mark, and what an earlier sweep had to leave. Throws what the client throws. */
export async function sweepChanges(where: Walk, mark: SweepMark, wake: Wake): Promise<ChangesSeen> {
  const after = changesAfter(mark)
  const latest = await newestFirst(where, { after: after ?? Number.POSITIVE_INFINITY, page: 1 }, wake)
  const { left } = mark
  if (latest.left !== undefined) {
    // Two gaps become one: what lies between them is looked at twice rather than not at all.
    return { ...latest, left: { ...latest.left, after: Math.min(latest.left.after, left?.after ?? latest.left.after) } }
  }
  if (left === undefined) return latest
  // What changed since then moved up, and the rest down: nothing lies before that page. One before it, because some may have been deleted.
  const rest = await newestFirst(where, { ...left, page: Math.max(1, left.page - 1) }, wake)
  return { ...latest, seen: Math.max(latest.seen, rest.seen), ...(rest.left === undefined ? {} : { left: rest.left }) }
}

async function newestFirst(where: Walk, range: { after: number; before?: number; page: number }, wake: Wake): Promise<ChangesSeen> {
  const { after, before = Number.POSITIVE_INFINITY } = range
  let seen = Number.NEGATIVE_INFINITY
  let theirNow: number | undefined
  let leftBefore: number | undefined
  const end = await walk(where, { state: 'all', page: range.page }, async (entries, { date }) => {
    theirNow ??= date
    const times = entries.map(updatedAt)
    seen = Math.max(seen, ...times.filter((time) => !Number.isNaN(time)))
    // Judged by the whole page: a service that orders otherwise must not end the sweep at an old one that stands first.
    const ordered = times.every((time, at) => at === 0 || time <= (times[at - 1] ?? Number.NaN))
    leftBefore = ordered ? times.at(-1) : undefined
    for (const [at, entry] of entries.entries()) {
      const time = times[at] ?? Number.NaN
      if (!(time > after && time <= before)) continue
      if (await wake(entry, 'changed')) continue
      leftBefore = ordered ? time : undefined
      return 'cut'
    }
    return ordered && times.some((time) => time <= after) ? 'enough' : 'on'
  })
  if (end.is === 'end') return { seen, theirNow }
  return { seen, theirNow, left: { after, ...(leftBefore === undefined ? {} : { before: leftBefore }), page: end.page } }
}
