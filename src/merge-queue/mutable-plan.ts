// The plan while it is made, and what several of its parts do to it.
import type { FixedSettings } from './automatic.ts'
import type { Observed } from './observed.ts'
import type { Build, EntryRef, MergeQueueRecord, MergeQueueStep, QueuePause, Removal, VoidCause } from './types.ts'

/** Belongs to one call of `plan`, which changes it in place. */
export interface MutablePlan {
  record: MergeQueueRecord
  steps: MergeQueueStep[]
  /** Times at which a deadline passes. */
  deadlines: number[]
  voided: VoidCause[]
  readonly observed: Observed
  readonly settings: FixedSettings
  readonly now: number
}

export const isSame = (a: EntryRef, b: EntryRef) => a.iid === b.iid && a.head === b.head

export const membersOf = (builds: readonly Build[]): EntryRef[] => builds.flatMap(({ members }) => members)

/** Changes some fields of the record. */
export function change(plan: MutablePlan, fields: Partial<MergeQueueRecord>): void {
  plan.record = { ...plan.record, ...fields }
}

/** Lands nothing until somebody resumes it. The first reason stays, unless what landed was not tested. */
export function pause(plan: MutablePlan, reason: QueuePause['reason'], about: Partial<QueuePause> = {}): void {
  const { paused: before } = plan.record
  if (before !== undefined && (reason !== 'unverified_landing' || before.reason === reason)) return
  const paused = { ...about, reason, since: plan.now }
  change(plan, { paused })
  plan.steps.push({ do: 'notify', paused })
}

/** Ends the pause: its reason is gone. */
export function resume(plan: MutablePlan): void {
  change(plan, { paused: undefined })
}

/** Drops the build at this place and all that are built on it. With a cause, the tested ones count as voided. */
export function dropFrom(plan: MutablePlan, index: number, cause?: VoidCause): void {
  if (index < 0) return
  const { builds } = plan.record
  if (cause !== undefined)
    for (const { commit } of builds.slice(index)) if (commit !== undefined) plan.voided.push(cause)
  change(plan, { builds: builds.slice(0, index) })
}

/** Takes a member out of the queue, for this head. */
export function remove(plan: MutablePlan, removal: Omit<Removal, 'at'>): void {
  const whole = { ...removal, at: plan.now }
  change(plan, { removals: [...plan.record.removals, whole] })
  plan.steps.push({ do: 'remove', removal: whole })
}
