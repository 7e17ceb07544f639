// Which entries are built next, and in which order.
import { type Draft, isSame } from './draft.ts'
import type { Entry, EntryRef } from './types.ts'

const minuteMs = 60_000

/** A waiting entry gains a point a minute, so that no priority starves it. */
const pointsOf = ({ priority, since }: Entry, now: number) => priority + Math.floor((now - since) / minuteMs)

/** Among those that an operator moved to the front; the others follow. */
function placeOf(first: readonly EntryRef[] = [], entry: EntryRef): number {
  const place = first.findIndex((each) => isSame(each, entry))
  return place === -1 ? first.length : place
}

/** Whether it is known to conflict with one of these. */
export const conflictsWith = ({ record }: Draft, entry: EntryRef, members: readonly EntryRef[]) =>
  record.conflicts.some(
    ({ member, others }) =>
      isSame(member, entry) && others.some((other) => members.some((each) => isSame(each, other))),
  )

/** The entries that may be built on `ahead`, next first: those that may land, by priority with age, by time. */
export function candidatesBehind(draft: Draft, ahead: readonly EntryRef[]): Entry[] {
  const { record, observed, now } = draft
  const taken = [...ahead, ...record.removals.map(({ member }) => member)]
  return observed.entries
    .filter((entry) => !taken.some((member) => isSame(member, entry)) && !conflictsWith(draft, entry, ahead))
    .sort(
      (a, b) =>
        Number(a.frozen) - Number(b.frozen) ||
        placeOf(record.first, a) - placeOf(record.first, b) ||
        pointsOf(b, now) - pointsOf(a, now) ||
        a.since - b.since ||
        a.iid - b.iid,
    )
}
