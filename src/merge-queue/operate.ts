// What an operator does to a merge queue: changes of its record, which the next plan carries out. Pure.
import { isSame } from './mutable-plan.ts'
import type { EntryRef, MergeQueueRecord, PauseReason } from './types.ts'

const endByThemselves: ReadonlySet<PauseReason> = new Set<PauseReason>([
  'branch_in_the_way',
  'branches_changed',
  'repository_refused',
  'target_red',
])

/**
 * Lands nothing until it is resumed; the first reason stays, unless it would end by itself. A landing that was requested
 * is still settled.
 */
export function pauseQueue(record: MergeQueueRecord, now: number): MergeQueueRecord {
  const { paused } = record
  if (paused !== undefined && !endByThemselves.has(paused.reason)) return record
  return { ...record, paused: { reason: 'by_operator', since: now } }
}

const ofTests: ReadonlySet<string | undefined> = new Set(['no_pipeline', 'status_missing'])

/**
 * Everything is built anew: the cause of the pause may have spoiled the builds. After a missing pipeline or status,
 * another CI may run the tests by now.
 */
export function resumeQueue({ paused, changed: _, ...before }: MergeQueueRecord, now: number): MergeQueueRecord {
  const record = ofTests.has(paused?.reason) ? { ...before, resumed: now } : before
  return record.landing === undefined ? { ...record, builds: [] } : record
}

/** Removes the entry with this head; with another head it enters again. */
export function removeEntry(record: MergeQueueRecord, member: EntryRef, now: number): MergeQueueRecord {
  if (record.removals.some((removal) => isSame(removal.member, member))) return record
  return { ...record, removals: [...record.removals, { member, reason: 'by_operator', at: now }] }
}

/** Moves the entry before all that are not tested yet. */
export function moveToFront(record: MergeQueueRecord, entry: EntryRef): MergeQueueRecord {
  return { ...record, first: [entry, ...(record.first ?? []).filter((each) => !isSame(each, entry))] }
}
