// Sweep, second half: open merge requests or issues that wait on what `updated_at` does not show, such as a pipeline's end.
import type { SweptProject } from '../../journal/types.ts'
import { isShownByUpdatedAt } from '../../rules/engine/shown-by-updated-at.ts'
import type { MergeRequestRef } from '../../rules/types.ts'
import type { Context } from '../context.ts'
import { updatedAt } from './changed-merge-requests.ts'
import { type ListedEntry, type ListReading, readList } from './list-pages.ts'
import { changesAfter, type ListMark } from './sweep-mark.ts'

type Why = SweptProject['enqueued'][number]['why']

// What nothing shows (a member's access, a setting) is repaired within this time.
const longestUnevaluatedMs = 24 * 60 * 60_000

export interface OpenReading extends ListReading {
  /** All of them: a person asked. */
  every: boolean
  /** Queues one; false when the budget is used up. */
  enqueue: (entry: ListedEntry, why: Why) => Promise<boolean>
}

/**
 * Queues the open ones that may have changed unseen; returns the page to continue with when the budget
 * ended. Throws what client and journal throw.
 */
export async function sweepOpen(context: Context, reading: OpenReading, mark: ListMark): Promise<number | undefined> {
  const end = await readList(context, reading, { state: 'opened', page: mark.openPage ?? 1 }, async (entries) => {
    // A service that ignores `state` lists all of them.
    const open = entries.filter(({ state }) => state === 'opened' || state === 'reopened')
    const found = await Promise.all(open.map((entry) => look(context, reading, mark, entry)))
    // Longest unevaluated first, so that a small budget reaches all of them in time.
    found.sort((a, b) => a.decidedAt - b.decidedAt)
    for (const { entry, why } of found) if (why !== undefined && !(await reading.enqueue(entry, why))) return 'cut'
    return 'on'
  })
  return end.is === 'cut' ? end.page : undefined
}

async function look(
  { journal, now }: Context,
  { project, every }: OpenReading,
  mark: ListMark,
  entry: ListedEntry,
): Promise<{ entry: ListedEntry; decidedAt: number; why: Why | undefined }> {
  const mergeRequest: MergeRequestRef = { project, iid: entry.iid ?? 0 }
  const [last] = (await journal.decisions.list({ mergeRequest, limit: 1 })).items
  const decidedAt = last === undefined ? 0 : Date.parse(last.at)
  return { entry, decidedAt, why: why() }

  function why(): Why | undefined {
    if (every) return 'requested'
    if (last === undefined) return 'never_evaluated'
    // The first half relies on the service's order; this finds what a wrong order hid.
    if (updatedAt(entry) > (changesAfter(mark) ?? Number.POSITIVE_INFINITY)) return 'changed'
    if (!isShownByUpdatedAt(last)) return 'waits'
    return now() - decidedAt >= longestUnevaluatedMs ? 'not_evaluated_for_a_day' : undefined
  }
}
