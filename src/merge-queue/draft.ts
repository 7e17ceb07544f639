// The record while a plan is made, and what several parts of the plan do to it.
import type {
  Build,
  EntryRef,
  MergeQueueRecord,
  MergeQueueSettings,
  MergeQueueStep,
  Observed,
  PauseReason,
  Removal,
  VoidCause,
} from './types.ts'

/** Belongs to one call of `plan`, which changes it in place. */
export interface Draft {
  record: MergeQueueRecord
  steps: MergeQueueStep[]
  /** Times at which a deadline passes. */
  deadlines: number[]
  voided: VoidCause[]
  readonly observed: Observed
  readonly settings: MergeQueueSettings
  readonly now: number
}

export const isSame = (a: EntryRef, b: EntryRef) => a.iid === b.iid && a.head === b.head

export const membersOf = (builds: readonly Build[]): EntryRef[] => builds.flatMap(({ members }) => members)

/** Changes some fields of the record. */
export function change(draft: Draft, fields: Partial<MergeQueueRecord>): void {
  draft.record = { ...draft.record, ...fields }
}

/** Lands nothing until somebody resumes it. The first reason stays, unless what landed was not tested. */
export function pause(draft: Draft, reason: PauseReason, branch?: string): void {
  const { paused: before } = draft.record
  if (before !== undefined && (reason !== 'unverified_landing' || before.reason === reason)) return
  const paused = { reason, since: draft.now, ...(branch === undefined ? {} : { branch }) }
  change(draft, { paused })
  draft.steps.push({ do: 'notify', paused })
}

/** What it was paused for has passed. */
export function resume(draft: Draft): void {
  const { paused: _, ...record } = draft.record
  draft.record = record
}

/** Drops the build at this place and all that are built on it: in vain, where there is a cause. */
export function dropFrom(draft: Draft, index: number, cause?: VoidCause): void {
  if (index < 0) return
  const { builds } = draft.record
  if (cause !== undefined)
    for (const { commit } of builds.slice(index)) if (commit !== undefined) draft.voided.push(cause)
  change(draft, { builds: builds.slice(0, index) })
}

/** Takes a member out of the queue, for this head. */
export function remove(draft: Draft, removal: Omit<Removal, 'at'>): void {
  const whole = { ...removal, at: draft.now }
  change(draft, { removals: [...draft.record.removals, whole] })
  draft.steps.push({ do: 'remove', removal: whole })
}

/** Fewer builds at once after a failure: those behind it were tested in vain. */
export function narrowWindow(draft: Draft): void {
  const { least } = draft.settings.speculate
  change(draft, { window: Math.max(least, Math.floor(draft.record.window / 2)) })
}
