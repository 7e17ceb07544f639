// Which entries are built next, and in which order.
import { isSame } from './mutable-plan.ts'
import type { Entry, EntryRef, MergeQueueRecord } from './types.ts'

/** What the order depends on: part of the planner's state, or of what pages show. */
interface OrderInput {
  record: Pick<MergeQueueRecord, 'conflicts' | 'first' | 'recent' | 'removals'>
  observed: { entries: readonly Entry[] }
  now: number
}

const minuteMs = 60_000

/** A waiting entry gains a point a minute, so that no priority starves it. */
const pointsOf = ({ priority, since }: Entry, now: number) => priority + Math.floor((now - since) / minuteMs)

/** The place among the entries that an operator moved to the front; the others follow. */
function placeOf(first: readonly EntryRef[] = [], entry: EntryRef): number {
  const place = first.findIndex((each) => isSame(each, entry))
  return place === -1 ? first.length : place
}

/** Whether it is known to conflict with one of these. */
export const conflictsWith = ({ record }: Pick<OrderInput, 'record'>, entry: EntryRef, members: readonly EntryRef[]) =>
  record.conflicts.some(
    ({ member, others }) =>
      isSame(member, entry) && others.some((other) => members.some((each) => isSame(each, other))),
  )

/** The entries that may be built on `ahead`, next first: those that may land, by priority with age, by time. */
export function candidatesBehind(plan: OrderInput, ahead: readonly EntryRef[]): Entry[] {
  const { record, observed, now } = plan
  const landed = record.recent.flatMap(({ members }) => members)
  const taken = [...ahead, ...landed, ...record.removals.map(({ member }) => member)]
  return observed.entries
    .filter((entry) => !taken.some((member) => isSame(member, entry)) && !conflictsWith(plan, entry, ahead))
    .sort(
      (a, b) =>
        Number(a.frozen) - Number(b.frozen) ||
        Number(b.preempts ?? false) - Number(a.preempts ?? false) ||
        placeOf(record.first, a) - placeOf(record.first, b) ||
        pointsOf(b, now) - pointsOf(a, now) ||
        a.since - b.since ||
        a.iid - b.iid,
    )
}
