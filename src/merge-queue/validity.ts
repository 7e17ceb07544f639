// Drops builds that no longer show what would land: the target moved, a member left, a branch was changed.
import { comesBackWithinMs } from './attempts.ts'
import { change, dropFrom, isSame, type MutablePlan, membersOf, pause } from './mutable-plan.ts'
import type { AttemptState } from './observed.ts'
import { candidatesBehind } from './order.ts'
import type { Attempt, Build, EntryRef, VoidCause } from './types.ts'

const mostRemoved = 50

/** Forgets removals and conflicts of members that left the queue; the last removals are kept to be shown. */
export function forgetGone(plan: MutablePlan): void {
  const { record, observed } = plan
  const isThere = (member: EntryRef) => observed.entries.some((entry) => isSame(entry, member))
  const gone = record.removals.filter(({ member }) => !isThere(member))
  change(plan, {
    removals: record.removals.filter(({ member }) => isThere(member)),
    removed: gone.length === 0 ? record.removed : [...gone.reverse(), ...(record.removed ?? [])].slice(0, mostRemoved),
    conflicts: record.conflicts.filter(({ member }) => isThere(member)),
    first: record.first?.filter(isThere),
  })
}

/** So many changes of branches without a landing are no accident, and nothing can be tested meanwhile. */
const mostChanged = 5

/** Drops the first build that is invalid, and all behind it. */
export function dropInvalid(plan: MutablePlan): void {
  const { builds } = plan.record
  for (const [index, build] of builds.entries()) {
    const cause = invalidity(plan, build, builds[index - 1])
    if (cause === undefined) continue
    dropFrom(plan, index, cause)
    if (cause === 'branch_changed' && build.attempts.every(({ own }) => own === undefined)) countChange(plan)
    break
  }
  dropOvertaken(plan)
}

/** Where a freeze begins or ends, its entries are evaluated one after the other: builds stay until that is over. */
const overtakenAfterMs = 2_000

function dropOvertaken(plan: MutablePlan): void {
  const { record, observed, now } = plan
  const first = firstOvertaken(plan)
  const frozen = observed.entries.filter((entry) => entry.frozen).length
  const since = record.overtaking?.frozen === frozen ? record.overtaking.since : now
  const waits = first !== -1 && now < since + overtakenAfterMs
  change(plan, { overtaking: waits ? { since, frozen } : undefined })
  if (waits) plan.deadlines.push(since + overtakenAfterMs)
  else dropFrom(plan, first, 'frozen')
}

/** Not with `test: rebase`: the branch is the author's own. */
function countChange(plan: MutablePlan): void {
  if (plan.settings.test === 'rebase') return
  const changed = (plan.record.changed ?? 0) + 1
  change(plan, { changed })
  if (changed >= mostChanged) pause(plan, 'branches_changed')
}

/** Why the build does not show what would land; undefined if it does. */
function invalidity(
  { record, observed, settings, now }: MutablePlan,
  build: Build,
  before: Build | undefined,
): VoidCause | undefined {
  const isIn = (members: readonly EntryRef[]) => (member: EntryRef) => members.some((each) => isSame(each, member))
  if (build.members.some(isIn(record.removals.map(({ member }) => member)))) return 'removed'
  const isRequested = build.members.every(isIn(observed.entries))
  if (!isRequested && !(settings.test === 'rebase' && comesBack(build, observed, now))) return 'entry_left'
  // A failed retry does not need its branch; the build behind needs that of the first attempt.
  const isAsMade = (attempt: Attempt, index: number) =>
    (attempt.failed !== undefined && (index > 0 || settings.test === 'rebase')) ||
    isUnchanged(attempt, observed.attempts.get(attempt.number))
  if (!build.attempts.every(isAsMade)) return 'branch_changed'
  if (build.base === undefined) return undefined
  if (before !== undefined) return build.base.commit === before.commit ? undefined : 'branch_changed'
  const { target } = observed
  // A push needs the very commit. The service's own merge makes another commit of the same tree.
  const isSameTarget =
    settings.land === 'push' ? build.base.commit === target?.commit : build.base.tree === target?.tree
  return isSameTarget ? undefined : 'target_moved'
}

/** Whether the entry may come back with its rebased head: while the pipeline of that head runs, and shortly after. */
function comesBack({ attempts }: Build, observed: MutablePlan['observed'], now: number): boolean {
  const isMade = attempts.some(({ number }) => observed.attempts.get(number)?.is === 'made')
  return isMade && attempts.every(({ passed }) => passed === undefined || now < passed + comesBackWithinMs)
}

/** False if somebody deleted its branch, or pushed to it. */
function isUnchanged({ commit }: Attempt, state: AttemptState | undefined): boolean {
  if (state?.is === 'foreign') return false
  return commit === undefined || (state?.is === 'made' && state.commit === commit)
}

/** The index of the first build that cannot land for now although an entry behind it could; -1 if there is none. */
function firstOvertaken(plan: MutablePlan): number {
  const { builds } = plan.record
  const isFrozen = (member: EntryRef) => plan.observed.entries.some((entry) => entry.frozen && isSame(entry, member))
  const first = builds.findIndex(({ members }) => members.some(isFrozen))
  if (first === -1) return -1
  const candidates = candidatesBehind(plan, membersOf(builds.slice(0, first)))
  return candidates.some(({ frozen }) => !frozen) ? first : -1
}

/** The index of the first build that an entry goes before; -1 if there is none. */
export function firstPreempted(plan: MutablePlan): number {
  const { record, observed } = plan
  const goesFirst = (member: EntryRef) => observed.entries.some((entry) => entry.preempts && isSame(entry, member))
  const first = record.builds.findIndex(({ members }) => members.length > 0 && !members.some(goesFirst))
  if (first === -1) return -1
  const candidates = candidatesBehind(plan, membersOf(record.builds.slice(0, first)))
  return candidates.some(({ preempts, frozen }) => preempts === true && !frozen) ? first : -1
}
