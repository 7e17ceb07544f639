// Plans the merge queue of one target: what to test, land and remove next. Pure.
import { readAttempts } from './attempts.ts'
import { type Draft, pause, resume } from './draft.ts'
import { settleFront, startLanding } from './front.ts'
import { settleLanding } from './landing.ts'
import { startBuilds } from './new-builds.ts'
import type { Attempt, MergeQueuePlan, MergeQueueRecord, MergeQueueSettings, Observed, PauseReason } from './types.ts'
import { dropInvalid, forgetGone } from './validity.ts'

/** The record of a queue that has done nothing yet. */
export function emptyRecord({ speculate }: Pick<MergeQueueSettings, 'speculate'>): MergeQueueRecord {
  return { window: speculate.least, builds: [], conflicts: [], removals: [], recent: [] }
}

/** Whether nothing is built, lands, is discarded, or is remembered of a member. */
export const isIdle = ({ builds, landing, removals, conflicts, discarding }: MergeQueueRecord): boolean =>
  builds.length + removals.length + conflicts.length === 0 && landing === undefined && discarding === undefined

/**
 * Returns the record to store and the steps to carry out after it is stored. The steps may be carried out in part, or
 * again: the next plan follows from what is observed then. `now` is in milliseconds since 1970.
 */
export function plan(
  record: MergeQueueRecord,
  observed: Observed,
  settings: MergeQueueSettings,
  now: number,
): MergeQueuePlan {
  const draft: Draft = {
    record: withinLimits(record, settings),
    steps: [],
    ...{ deadlines: [], voided: [] },
    observed,
    settings,
    now,
  }
  if (observed.unreadable !== undefined) {
    pause(draft, observed.unreadable)
    if (observed.unreadable === 'repository_refused') draft.deadlines.push(now + readAgainMs)
    return planOf(draft)
  }
  if (draft.record.paused?.reason === 'repository_refused') resume(draft)
  forgetGone(draft)
  if (observed.target === undefined) pause(draft, 'target_missing')
  else if (observed.unfit !== undefined) pause(draft, observed.unfit)
  pauseForBranches(draft)
  settleLanding(draft)
  if (observed.settlesOnly === true) return planOf(draft)
  if (draft.record.landing === undefined) {
    dropInvalid(draft)
    readAttempts(draft)
    settleFront(draft)
    startLanding(draft)
  }
  // While a lost landing is waited for, nobody reads what became of a build.
  const waits = draft.record.landing !== undefined && !draft.steps.some((step) => step.do === 'land')
  if (draft.record.paused === undefined && !waits) startBuilds(draft)
  discardUnused(draft)
  return planOf(draft)
}

function planOf({ record, steps, voided, deadlines, now }: Draft): MergeQueuePlan {
  const { paused } = record
  if (paused !== undefined && ofBranches.has(paused.reason))
    deadlines.push(paused.since + readAgainMs, now + readAgainMs)
  const later = deadlines.filter((at) => at > now)
  return { record, steps, voided, ...(later.length === 0 ? {} : { changesAt: Math.min(...later) }) }
}

/** When to look again whether the bot may read the repository, and whether others leave the queue its branches. */
const readAgainMs = 5 * 60_000
const ofBranches: ReadonlySet<PauseReason> = new Set(['branch_in_the_way', 'branches_changed'])

/** What others do to branches pauses the queue for a while: nobody who may push can stop it for good that way. */
function pauseForBranches(draft: Draft): void {
  const { observed, now } = draft
  const { paused: before } = draft.record
  const isOver = before !== undefined && ofBranches.has(before.reason) && now >= before.since + readAgainMs
  if (isOver && observed.inTheWay === undefined) resume(draft)
  if (observed.inTheWay !== undefined) pause(draft, 'branch_in_the_way', observed.inTheWay)
}

/** Follows changed settings. */
function withinLimits(record: MergeQueueRecord, { speculate }: MergeQueueSettings): MergeQueueRecord {
  const { least, most } = speculate
  return { ...record, window: Math.min(most, Math.max(least, record.window)) }
}

/** A round discards no more, so that a landing does not wait for branches that somebody made by the hundred. */
const mostDiscarded = 20

/** Branches that no build needs: of ended builds, of pipelines that took too long, or left by another process. */
function discardUnused(draft: Draft): void {
  const { discarding: _, ...record } = draft.record
  // What is behind a build is built on the commit of its first attempt, which a push lands.
  const isNeeded = (attempt: Attempt, index: number) => index === 0 || attempt.failed !== 'pipeline_timeout'
  const needed = new Set(record.builds.flatMap(({ attempts }) => attempts.filter(isNeeded).map(({ number }) => number)))
  const unused = [...draft.observed.attempts].flatMap(([attempt, { is }]) =>
    is === 'made' && !needed.has(attempt) ? [attempt] : [],
  )
  draft.record = unused.length === 0 ? record : { ...record, discarding: true }
  if (unused.length > 0) draft.steps.push({ do: 'discard', attempts: unused.slice(0, mostDiscarded) })
}
