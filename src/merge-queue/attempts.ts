// Reads what became of each attempt: its branch, its pipeline, a conflict; and retries the first failure.
import { change, dropFrom, type MutablePlan, membersOf, pause, remove } from './mutable-plan.ts'
import type { AttemptState, PipelineStatus } from './observed.ts'
import type { Attempt, Build } from './types.ts'
import { isUnsigned } from './words.ts'

/** How long a service may take to start a pipeline for a new branch. */
export const pipelineWithinMs = 10 * 60_000
/** How long a service may take to give a head. It is asked less often the longer it takes. */
const headWithinMs = 10 * 60_000
const askAgainMs = { least: 5_000, most: 2 * 60_000 }
/** When to look again for a status that is missing. */
const lookForStatusMs = 60_000
/** How long a rebased entry with a green pipeline may take to come back. */
export const comesBackWithinMs = 60_000

export function isGreen({ observed }: MutablePlan, { attempts }: Build): boolean {
  return attempts.some(({ number }) => {
    const state = observed.attempts.get(number)
    return state?.is === 'made' && state.pipeline === 'success'
  })
}

/** Whether all attempts so far failed. */
const isRed = (plan: MutablePlan, build: Build) =>
  build.attempts.length > 0 && !isGreen(plan, build) && build.attempts.every(({ failed }) => failed !== undefined)

export const triesOf = ({ attempts }: Build) =>
  attempts.length + attempts.filter(({ retried }) => retried === true).length

/** Whether no retry is left. A skipped pipeline is not retried: the same tree would be skipped again. */
export function hasFailed(plan: MutablePlan, build: Build): boolean {
  if (!isRed(plan, build)) return false
  const { least, most } = plan.settings.retries
  const tries = triesOf(build)
  const isOver = tries > least && tries + redBehind(plan, build) > most
  return isOver || build.attempts.at(-1)?.failed === 'pipeline_skipped'
}

/** How many builds on top of it failed as well; 0 if one is green, as that contains the same changes. */
function redBehind(plan: MutablePlan, build: Build): number {
  const { builds } = plan.record
  const behind = builds.slice(builds.indexOf(build) + 1)
  return behind.some((each) => isGreen(plan, each)) ? 0 : behind.filter((each) => isRed(plan, each)).length
}

/** Stores the new state of each attempt. */
export function readAttempts(plan: MutablePlan): void {
  const refused = [...plan.observed.attempts.values()].find((state) => state.is === 'refused')
  if (refused !== undefined) {
    const { words } = refused
    pause(plan, isUnsigned(words) ? 'signed_commits' : 'branch_refused', { words })
  }
  for (const [index, build] of plan.record.builds.entries()) {
    const states = build.attempts.map((attempt) => stateOf(plan, attempt))
    const untestable = states.find((state) => state?.is === 'untestable')
    const conflict = states.find((state) => state?.is === 'conflict')
    if (untestable === undefined && conflict === undefined) {
      replaceBuild(plan, index, withBase(withAttempts(plan, build), plan.record.builds[index - 1]))
      continue
    }
    if (conflict !== undefined) settleConflict(plan, index, conflict)
    else {
      dropFrom(plan, index)
      if (untestable !== undefined)
        for (const member of untestable.members)
          remove(plan, { member, reason: untestable.reason, words: untestable.words })
    }
    break
  }
  retryFirstRed(plan)
}

/** A head that is late for too long counts as untestable. */
function stateOf({ observed, now }: MutablePlan, { number, lateSince = now }: Attempt): AttemptState | undefined {
  const state = observed.attempts.get(number)
  return state?.is === 'late' && now >= lateSince + headWithinMs ? { ...state, is: 'untestable' } : state
}

function replaceBuild(plan: MutablePlan, index: number, build: Build): void {
  change(plan, { builds: plan.record.builds.with(index, build) })
}

function withAttempts(plan: MutablePlan, build: Build): Build {
  let { commit, tree } = build
  const attempts = build.attempts.map((attempt) => {
    const state = plan.observed.attempts.get(attempt.number)
    if (state?.is === 'late') return withLate(plan, attempt)
    if (state?.is !== 'made') return attempt
    commit ??= state.commit
    tree ??= state.tree
    const { commit: made, own, started = attempt.started, retried = attempt.retried } = state
    const since = (retried === attempt.retried ? attempt.since : undefined) ?? plan.now
    const present = { ...attempt, own, started, retried, commit: made, since }
    return withPipeline(plan, present, state.pipeline)
  })
  const isRebased = plan.settings.test === 'rebase' && commit !== undefined
  const members = isRebased ? build.members.map(({ iid }) => ({ iid, head: commit ?? '' })) : build.members
  return { ...build, members, attempts, commit, tree }
}

/** One that was made in the same run as that before it. */
function withBase(build: Build, before: Build | undefined): Build {
  const { commit, tree } = before ?? {}
  if (build.base !== undefined || build.commit === undefined || commit === undefined || tree === undefined) return build
  return { ...build, base: { commit, tree } }
}

function withLate({ now, deadlines }: MutablePlan, attempt: Attempt): Attempt {
  const lateSince = attempt.lateSince ?? now
  const pause = Math.min(askAgainMs.most, Math.max(askAgainMs.least, now - lateSince))
  deadlines.push(Math.min(now + pause, lateSince + headWithinMs))
  return { ...attempt, lateSince }
}

function withPipeline(plan: MutablePlan, attempt: Attempt & { since: number }, pipeline: PipelineStatus): Attempt {
  if (attempt.failed !== undefined) return attempt
  const { now, settings, deadlines } = plan
  const { passed = now, ...unfinished } = attempt
  if (pipeline === 'success') {
    // The entry of a rebased head comes back when its evaluation finds the pipeline green as well.
    if (settings.test === 'rebase') deadlines.push(passed + comesBackWithinMs)
    return { ...attempt, passed }
  }
  if (pipeline === 'skipped') {
    if (attempt.started !== undefined) return { ...unfinished, failed: 'pipeline_skipped' }
    plan.steps.push({ do: 'start', attempt: attempt.number })
    return unfinished
  }
  const deadline = attempt.since + (pipeline === 'none' ? pipelineWithinMs : settings.timeoutMs)
  if (pipeline !== 'failed' && deadline > now) {
    // There is no event for a status that leaves the pipeline green.
    deadlines.push(pipeline === 'partial' ? Math.min(deadline, now + lookForStatusMs) : deadline)
    return unfinished
  }
  if (pipeline === 'none' || pipeline === 'partial') {
    pause(plan, pipeline === 'none' ? 'no_pipeline' : 'status_missing')
    return unfinished
  }
  if (pipeline === 'failed') return { ...unfinished, failed: 'pipeline_failed' }
  // With `test: rebase`, the pipeline is the author's own.
  if (settings.test === 'branch') plan.steps.push({ do: 'cancel', attempt: attempt.number })
  return { ...unfinished, failed: 'pipeline_timeout' }
}

/** A member that conflicts with the target leaves. One that conflicts with others in the queue waits for them. */
function settleConflict(
  plan: MutablePlan,
  index: number,
  { member, with: conflicts }: AttemptState & { is: 'conflict' },
): void {
  const { builds } = plan.record
  const members = builds[index]?.members ?? []
  const others = [
    ...membersOf(builds.slice(0, index)),
    ...members.slice(0, members.map(({ iid }) => iid).indexOf(member.iid)),
  ]
  dropFrom(plan, index + 1, 'conflict')
  dropFrom(plan, index)
  if (conflicts === 'target' || others.length === 0) remove(plan, { member, reason: 'conflict' })
  else change(plan, { conflicts: [...plan.record.conflicts, { member, others }] })
}

/** The builds behind it may have failed because of it, so they wait until its retry ends. */
function retryFirstRed(plan: MutablePlan): void {
  const { builds } = plan.record
  const first = builds.findIndex(
    (build) => !isGreen(plan, build) && build.attempts.some(({ failed, retried }) => failed ?? retried),
  )
  const build = builds[first]
  if (build === undefined || !isRed(plan, build) || hasFailed(plan, build)) return
  const { failed, ...last } = build.attempts.at(-1) ?? { number: 0 }
  const state = plan.observed.attempts.get(last.number)
  if (state?.is === 'made' && state.hasJobs && last.retried === undefined && failed === 'pipeline_failed') {
    // First, as other jobs need not run again. Its state stays until the service has answered.
    replaceBuild(plan, first, { ...build, attempts: build.attempts.with(-1, last) })
    plan.steps.push({ do: 'retry', attempt: last.number })
    return
  }
  replaceBuild(plan, first, { ...build, attempts: [...build.attempts, { number: plan.observed.newNumber() }] })
}
