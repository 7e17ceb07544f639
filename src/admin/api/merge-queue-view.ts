// What a merge queue's record and entries say, for the admin API, the dashboard and the metrics.
import { isSame, membersOf } from '../../merge-queue/mutable-plan.ts'
import type { Attempt, Build, Entry, EntryRef, MergeQueueRecord } from '../../merge-queue/types.ts'

export const entryStates = ['testing', 'waiting', 'frozen', 'removed'] as const
type EntryCounts = Record<(typeof entryStates)[number], number>

export const buildStates = ['preparing', 'testing', 'failed', 'landing'] as const

/** How many entries are in each state. */
export function countEntries(
  { builds, removals }: Pick<MergeQueueRecord, 'builds' | 'removals'>,
  entries: readonly Entry[],
): EntryCounts {
  const counts: EntryCounts = { testing: 0, waiting: 0, frozen: 0, removed: 0 }
  const tested = membersOf(builds)
  for (const entry of entries) {
    const isIn = (members: readonly EntryRef[]) => members.some((member) => isSame(member, entry))
    if (isIn(removals.map(({ member }) => member))) counts.removed += 1
    else if (isIn(tested)) counts.testing += 1
    else counts[entry.frozen ? 'frozen' : 'waiting'] += 1
  }
  return counts
}

export function buildState({ landing }: MergeQueueRecord, build: Build, index: number): (typeof buildStates)[number] {
  const isLanding = index === 0 && landing?.members.some((member) => build.members.some((each) => isSame(each, member)))
  if (isLanding) return 'landing'
  if (build.commit === undefined) return 'preparing'
  return build.attempts.every(({ failed }) => failed !== undefined) ? 'failed' : 'testing'
}

export function attemptState({ commit, failed }: Attempt): 'preparing' | 'testing' | NonNullable<Attempt['failed']> {
  return failed ?? (commit === undefined ? 'preparing' : 'testing')
}
