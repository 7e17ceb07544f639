// Plans the merge queue of one target: what to test, land and remove next (merge-queue.md §4). Pure.
import { readAttempts } from './attempts.ts'
import { type Draft, pause, resume } from './draft.ts'
import { settleFront, startLanding } from './front.ts'
import { settleLanding } from './landing.ts'
import { startBuilds } from './new-builds.ts'
import type { Attempt, MergeQueuePlan, MergeQueueRecord, MergeQueueSettings, Observed } from './types.ts'
import { dropInvalid, forgetGone } from './validity.ts'

/** The record of a queue that has done nothing yet. */
export function emptyRecord({ speculate }: Pick<MergeQueueSettings, 'speculate'>): MergeQueueRecord {
  return { window: speculate.least, next: 1, builds: [], conflicts: [], removals: [], recent: [] }
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
    record: withinLimits(record, observed, settings),
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
  const later = deadlines.filter((at) => at > now)
  return { record, steps, voided, ...(later.length === 0 ? {} : { changesAt: Math.min(...later) }) }
}

/** When to look again whether the bot may read the repository. */
const readAgainMs = 5 * 60_000

/** Anybody may make a branch of any number: one that is further ahead is not the queue's. */
const mostAhead = 1_000_000

/** Follows changed settings, and uses no number again although the record was lost. */
function withinLimits(
  record: MergeQueueRecord,
  { attempts }: Observed,
  { speculate }: MergeQueueSettings,
): MergeQueueRecord {
  const { least, most } = speculate
  const near = [...attempts.keys()].filter((number) => number < record.next + mostAhead)
  return {
    ...record,
    window: Math.min(most, Math.max(least, record.window)),
    next: Math.max(record.next, ...near.map((number) => number + 1)),
  }
}

/** Branches that no build needs: of ended builds, of pipelines that took too long, or left by another process. */
function discardUnused(draft: Draft): void {
  const { discarding: _, ...record } = draft.record
  // What is behind a build is built on the commit of its first attempt, which a push lands.
  const isNeeded = (attempt: Attempt, index: number) => index === 0 || attempt.failed !== 'pipeline_timeout'
  const needed = new Set(record.builds.flatMap(({ attempts }) => attempts.filter(isNeeded).map(({ number }) => number)))
  const unused = [...draft.observed.attempts].filter(([attempt, { is }]) => is === 'made' && !needed.has(attempt))
  draft.record = unused.length === 0 ? record : { ...record, discarding: true }
  for (const [attempt] of unused) draft.steps.push({ do: 'discard', attempt })
}
