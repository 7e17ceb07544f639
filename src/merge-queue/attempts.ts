// Reads what became of each attempt: its branch, its pipeline, a conflict; and retries the first failure.
import { change, type Draft, dropFrom, membersOf, pause, remove } from './draft.ts'
import type { Attempt, AttemptState, Build, PipelineStatus } from './types.ts'

/** How long a service may take to start a pipeline for a new branch. */
export const pipelineWithinMs = 10 * 60_000
/** How long a service may take to give a head, and how often it is asked: the longer it takes, the less often. */
const headWithinMs = 10 * 60_000
const askAgainMs = { least: 5_000, most: 2 * 60_000 }
/** When to look again for a status that is missing. */
const lookForStatusMs = 60_000
/** How long a rebased entry with a green pipeline may take to come back. */
export const comesBackWithinMs = 60_000

export function isGreen({ observed }: Draft, { attempts }: Build): boolean {
  return attempts.some(({ number }) => {
    const state = observed.attempts.get(number)
    return state?.is === 'made' && state.pipeline === 'success'
  })
}

/** Whether all attempts so far failed. */
const isRed = (draft: Draft, build: Build) =>
  build.attempts.length > 0 && !isGreen(draft, build) && build.attempts.every(({ failed }) => failed !== undefined)

/** Whether it failed for good: the same tree would be skipped again. */
export const hasFailed = (draft: Draft, build: Build) =>
  isRed(draft, build) &&
  (build.attempts.length > draft.settings.retries || build.attempts.at(-1)?.failed === 'pipeline_skipped')

/** Stores what is new of each attempt. */
export function readAttempts(draft: Draft): void {
  if ([...draft.observed.attempts.values()].some(({ is }) => is === 'refused')) pause(draft, 'branch_refused')
  for (const [index, build] of draft.record.builds.entries()) {
    const states = build.attempts.map((attempt) => stateOf(draft, attempt))
    const untestable = states.find((state) => state?.is === 'untestable')
    const conflict = states.find((state) => state?.is === 'conflict')
    if (untestable === undefined && conflict === undefined) {
      replaceBuild(draft, index, withAttempts(draft, build))
      continue
    }
    if (conflict !== undefined) noteConflict(draft, index, conflict)
    else {
      dropFrom(draft, index)
      if (untestable !== undefined)
        for (const member of untestable.members) remove(draft, { member, reason: untestable.reason })
    }
    break
  }
  retryFirstRed(draft)
}

/** A head that is late for too long never comes. */
function stateOf({ observed, now }: Draft, { number, lateSince = now }: Attempt): AttemptState | undefined {
  const state = observed.attempts.get(number)
  return state?.is === 'late' && now >= lateSince + headWithinMs ? { ...state, is: 'untestable' } : state
}

function replaceBuild(draft: Draft, index: number, build: Build): void {
  change(draft, { builds: draft.record.builds.with(index, build) })
}

function withAttempts(draft: Draft, build: Build): Build {
  let { commit, tree } = build
  const attempts = build.attempts.map((attempt) => {
    const state = draft.observed.attempts.get(attempt.number)
    if (state?.is === 'late') return withLate(draft, attempt)
    if (state?.is !== 'made') return attempt
    commit ??= state.commit
    tree ??= state.tree
    const { commit: made, started = attempt.started } = state
    const ofStarted = started === undefined ? {} : { started }
    const present = { ...attempt, ...ofStarted, commit: made, since: attempt.since ?? draft.now }
    return withPipeline(draft, present, state.pipeline)
  })
  const isRebased = draft.settings.test === 'rebase' && commit !== undefined
  const members = isRebased ? build.members.map(({ iid }) => ({ iid, head: commit ?? '' })) : build.members
  return {
    ...{ ...build, members, attempts },
    ...(commit === undefined ? {} : { commit }),
    ...(tree === undefined ? {} : { tree }),
  }
}

function withLate({ now, deadlines }: Draft, attempt: Attempt): Attempt {
  const lateSince = attempt.lateSince ?? now
  const pause = Math.min(askAgainMs.most, Math.max(askAgainMs.least, now - lateSince))
  deadlines.push(Math.min(now + pause, lateSince + headWithinMs))
  return { ...attempt, lateSince }
}

function withPipeline(draft: Draft, attempt: Attempt & { since: number }, pipeline: PipelineStatus): Attempt {
  if (attempt.failed !== undefined) return attempt
  const { passed: _passed, ...unfinished } = attempt
  if (pipeline === 'success') return withPassed(draft, attempt)
  if (pipeline === 'skipped') {
    if (attempt.started !== undefined) return { ...unfinished, failed: 'pipeline_skipped' }
    draft.steps.push({ do: 'start', attempt: attempt.number })
    return unfinished
  }
  const { now, settings, deadlines } = draft
  const deadline = attempt.since + (pipeline === 'none' ? pipelineWithinMs : settings.timeoutMs)
  if (pipeline !== 'failed' && deadline > now) {
    // No event tells of a status that leaves the pipeline green.
    deadlines.push(pipeline === 'partial' ? Math.min(deadline, now + lookForStatusMs) : deadline)
    return unfinished
  }
  if (pipeline === 'none' || pipeline === 'partial') {
    pause(draft, pipeline === 'none' ? 'no_pipeline' : 'status_missing')
    return unfinished
  }
  if (pipeline === 'failed') return { ...unfinished, failed: 'pipeline_failed' }
  // With `test: rebase`, it is the author's own.
  if (settings.test === 'branch') draft.steps.push({ do: 'cancel', attempt: attempt.number })
  return { ...unfinished, failed: 'pipeline_timeout' }
}

function withPassed({ now, deadlines, settings }: Draft, attempt: Attempt): Attempt {
  const passed = attempt.passed ?? now
  // The entry of a rebased head comes back when its evaluation finds the pipeline green as well.
  if (settings.test === 'rebase') deadlines.push(passed + comesBackWithinMs)
  return { ...attempt, passed }
}

/** With the target: it leaves. With others in the queue: it waits for them. */
function noteConflict(
  draft: Draft,
  index: number,
  { member, with: conflicts }: AttemptState & { is: 'conflict' },
): void {
  const { builds } = draft.record
  const members = builds[index]?.members ?? []
  const others = [
    ...membersOf(builds.slice(0, index)),
    ...members.slice(0, members.map(({ iid }) => iid).indexOf(member.iid)),
  ]
  dropFrom(draft, index + 1, 'conflict')
  dropFrom(draft, index)
  if (conflicts === 'target' || others.length === 0) remove(draft, { member, reason: 'conflict' })
  else change(draft, { conflicts: [...draft.record.conflicts, { member, others }] })
}

/** Those behind it may have failed because of it, so they wait until its retry ends. */
function retryFirstRed(draft: Draft): void {
  const { builds } = draft.record
  const first = builds.findIndex((build) => !isGreen(draft, build) && build.attempts.some(({ failed }) => failed))
  const build = builds[first]
  if (build === undefined || !isRed(draft, build) || hasFailed(draft, build)) return
  replaceBuild(draft, first, { ...build, attempts: [...build.attempts, { number: draft.observed.newNumber() }] })
}
