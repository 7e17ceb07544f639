// Sweep, second half: open merge requests that wait on what `updated_at` does not show, such as a pipeline that finishes (DESIGN §6).
import type { Journal, SweptProject } from '../journal/types.ts'
import { isAtRest } from '../rules/at-rest.ts'
import type { MergeRequestRef } from '../rules/types.ts'
import { updatedAt } from './sweep-changed.ts'
import { changesAfter, type SweepMark } from './sweep-mark.ts'
import { type Listed, type Walk, walk } from './sweep-walk.ts'

type Why = SweptProject['woken'][number]['why']

// What nothing shows (somebody's access, a setting) is made good within this time.
const longestUnjudgedMs = 24 * 60 * 60_000

export interface OpenOptions extends Walk {
  service: string
  journal: Pick<Journal, 'decisions'>
  now: () => number
  /** All of them, because a person asked. */
  every: boolean
  /** Wakes one; false when the budget is over. */
  wake: (entry: Listed, why: Why) => Promise<boolean>
}

/** Wakes the open merge requests that may have become others unseen; gives the page to go on with when the budget ended. Throws what client and journal throw. */
export async function sweepOpen(options: OpenOptions, mark: SweepMark): Promise<number | undefined> {
  const end = await walk(options, { state: 'opened', page: mark.openPage ?? 1 }, async (entries) => {
    // A service that ignores `state` answers with all of them.
    const open = entries.filter(({ state }) => state === 'opened' || state === 'reopened')
    const found = await Promise.all(open.map((entry) => look(options, mark, entry)))
    // Longest unjudged first, so that a small budget comes round to all of them.
    found.sort((a, b) => a.judgedAt - b.judgedAt)
    for (const { entry, why } of found) if (why !== undefined && !(await options.wake(entry, why))) return 'cut'
    return 'on'
  })
  return end.is === 'cut' ? end.page : undefined
}

async function look(
  { service, journal, project, now, every }: OpenOptions,
  mark: SweepMark,
  entry: Listed,
): Promise<{ entry: Listed; judgedAt: number; why: Why | undefined }> {
  const mergeRequest: MergeRequestRef = { service, project, iid: entry.iid ?? 0 }
  const [last] = (await journal.decisions({ mergeRequest, limit: 1 })).items
  const judgedAt = last === undefined ? 0 : Date.parse(last.at)
  return { entry, judgedAt, why: why() }

  function why(): Why | undefined {
    if (every) return 'asked for'
    if (last === undefined) return 'never judged'
    // The first half stops where the service's order says so: where that was no order, this finds it.
    if (updatedAt(entry) > (changesAfter(mark) ?? Number.POSITIVE_INFINITY)) return 'changed'
    if (!isAtRest(last)) return 'waits'
    return now() - judgedAt >= longestUnjudgedMs ? 'not judged for a day' : undefined
  }
}
