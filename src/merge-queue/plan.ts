// Plans the merge queue of one target: what to test, land and remove next. Pure.
import { readAttempts } from './attempts.ts'
import { type FixedSettings, fixed } from './automatic.ts'
import { settleFront, startLanding } from './front.ts'
import { settleLanding } from './landing.ts'
import { change, dropFrom, type MutablePlan, pause, resume } from './mutable-plan.ts'
import { startBuilds } from './new-builds.ts'
import type { Observed } from './observed.ts'
import { settleTarget } from './target-test.ts'
import type { Attempt, MergeQueuePlan, MergeQueueRecord, MergeQueueSettings, PauseReason } from './types.ts'
import { dropInvalid, firstPreempted, forgetGone } from './validity.ts'

/** The record of a queue that has done nothing yet. */
export const emptyRecord = (): MergeQueueRecord => ({ window: 1, builds: [], conflicts: [], removals: [], recent: [] })

/** Whether the queue builds, lands and discards nothing, and remembers no member. */
export const isIdle = ({ builds, landing, testing, removals, conflicts, discarding }: MergeQueueRecord): boolean =>
  builds.length + removals.length + conflicts.length === 0 && (landing ?? testing ?? discarding) === undefined

/**
 * Returns the record to store and the steps to carry out after it is stored. The steps may be carried out in part, or
 * again: the next plan follows from what is observed then. `now` is in milliseconds since 1970.
 */
export function plan(
  record: MergeQueueRecord,
  observed: Observed,
  stated: MergeQueueSettings,
  now: number,
): MergeQueuePlan {
  const settings = fixed(stated, record)
  const plan: MutablePlan = {
    record: withinLimits(record, settings),
    steps: [],
    deadlines: [],
    voided: [],
    observed,
    settings,
    now,
  }
  if (observed.unreadable !== undefined) {
    pause(plan, observed.unreadable)
    if (observed.unreadable === 'repository_refused') plan.deadlines.push(now + readAgainMs)
    return planOf(plan)
  }
  if (plan.record.paused?.reason === 'repository_refused') resume(plan)
  forgetGone(plan)
  if (observed.target === undefined) pause(plan, 'target_missing')
  else if (observed.unfit !== undefined) pause(plan, observed.unfit)
  pauseForBranches(plan)
  settleLanding(plan)
  if (observed.settlesOnly === true) return planOf(plan)
  if (plan.record.landing === undefined) {
    dropInvalid(plan)
    readAttempts(plan)
    settleTarget(plan)
    settleFront(plan)
    startLanding(plan)
    if (plan.record.landing === undefined) dropFrom(plan, firstPreempted(plan), 'preempted')
  }
  // While the outcome of a landing is unknown, the attempts are not read.
  const waits = plan.record.landing !== undefined && !plan.steps.some((step) => step.do === 'land')
  const { paused } = plan.record
  if ((paused === undefined || paused.reason === 'target_red') && !waits) startBuilds(plan)
  discardUnused(plan)
  return planOf(plan)
}

function planOf({ record, steps, voided, deadlines, now }: MutablePlan): MergeQueuePlan {
  const { paused } = record
  if (paused !== undefined && ofBranches.has(paused.reason))
    deadlines.push(paused.since + readAgainMs, now + readAgainMs)
  if (paused?.reason === 'target_red') deadlines.push(now + readAgainMs)
  const later = deadlines.filter((at) => at > now)
  return { record, steps, voided, changesAt: later.length === 0 ? undefined : Math.min(...later) }
}

/** How soon to check again if the bot may read the repository, and if others still change the queue's branches. */
const readAgainMs = 5 * 60_000
const ofBranches: ReadonlySet<PauseReason> = new Set(['branch_in_the_way', 'branches_changed'])

/** Others' changes of branches pause the queue only for a while: else who may push could stop it permanently. */
function pauseForBranches(plan: MutablePlan): void {
  const { observed, now } = plan
  const { paused: before } = plan.record
  const isOver = before !== undefined && ofBranches.has(before.reason) && now >= before.since + readAgainMs
  if (isOver && observed.inTheWay === undefined) resume(plan)
  if (observed.inTheWay !== undefined) pause(plan, 'branch_in_the_way', { branch: observed.inTheWay })
}

/** Fits the window to changed settings. */
function withinLimits(record: MergeQueueRecord, { speculate }: FixedSettings): MergeQueueRecord {
  const { least, most } = speculate
  return { ...record, window: Math.min(most, Math.max(least, record.window)) }
}

/** The limit of one round: a landing must not wait for hundreds of branches that somebody made. */
const mostDiscarded = 20

/** Discards the branches of ended builds, of pipelines that took too long, and those that another process left. */
function discardUnused(plan: MutablePlan): void {
  // The build behind is built on the commit of the first attempt, which a push lands.
  const isNeeded = (attempt: Attempt, index: number) => index === 0 || attempt.failed !== 'pipeline_timeout'
  const needed = new Set(
    plan.record.builds.flatMap(({ attempts }) => attempts.filter(isNeeded).map(({ number }) => number)),
  )
  const unused = [...plan.observed.attempts].flatMap(([attempt, state]) =>
    state.is === 'made' && state.own === undefined && !needed.has(attempt) ? [attempt] : [],
  )
  change(plan, { discarding: unused.length === 0 ? undefined : true })
  if (unused.length > 0) plan.steps.push({ do: 'discard', attempts: unused.slice(0, mostDiscarded) })
}
