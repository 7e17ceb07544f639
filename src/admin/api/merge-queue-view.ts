// What a merge queue's record and entries say, for the admin API, the dashboard and the metrics.
import { isSame, membersOf } from '../../merge-queue/draft.ts'
import { candidatesBehind } from '../../merge-queue/order.ts'
import type { Attempt, Build, Entry, EntryRef, MergeQueueRecord } from '../../merge-queue/types.ts'

export const entryStates = ['testing', 'waiting', 'frozen', 'removed'] as const
export type EntryCounts = Record<(typeof entryStates)[number], number>

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

export interface WaitingEntry {
  entry: Entry
  isFirst: boolean
  /** It is not built on these. */
  conflicts: readonly EntryRef[]
}

/** In the order in which they are tested; those that conflict with what is before them wait for it to land. */
export function waitingEntries(record: MergeQueueRecord, entries: readonly Entry[], now: number): WaitingEntry[] {
  const tested = membersOf(record.builds)
  const order = { record, observed: { entries }, now }
  const next = candidatesBehind(order, tested)
  const later = candidatesBehind({ ...order, record: { ...record, conflicts: [] } }, tested)
  return [...next, ...later.filter((entry) => !next.includes(entry))].map((entry) => ({
    entry,
    isFirst: record.first?.some((each) => isSame(each, entry)) ?? false,
    conflicts: record.conflicts.flatMap(({ member, others }) =>
      isSame(member, entry) ? others.filter((other) => tested.some((each) => isSame(each, other))) : [],
    ),
  }))
}

/** Why it waits, besides for its turn. */
export function describeWaiting(entry: { frozen: boolean; first: boolean; conflicts: readonly number[] }): string {
  const { frozen, first, conflicts } = entry
  return [
    ...(frozen ? ['a freeze keeps it from landing'] : []),
    ...(conflicts.length > 0 ? [`it conflicts with ${conflicts.map((iid) => `!${iid}`).join(', ')}`] : []),
    ...(first ? ['an operator moved it to the front'] : []),
  ].join('; ')
}
