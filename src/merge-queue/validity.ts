// Drops builds that no longer show what would land: the target moved, a member left, a branch was changed.
import { comesBackWithinMs } from './attempts.ts'
import { change, type Draft, dropFrom, isSame, membersOf, pause } from './draft.ts'
import { candidatesBehind } from './order.ts'
import type { Attempt, AttemptState, Build, EntryRef, VoidCause } from './types.ts'

/** Forgets removals and conflicts of members that left the queue. */
export function forgetGone(draft: Draft): void {
  const { record, observed } = draft
  const isThere = (member: EntryRef) => observed.entries.some((entry) => isSame(entry, member))
  change(draft, {
    removals: record.removals.filter(({ member }) => isThere(member)),
    conflicts: record.conflicts.filter(({ member }) => isThere(member)),
    ...(record.first === undefined ? {} : { first: record.first.filter(isThere) }),
  })
}

/** So many changes of branches before anything lands are no accident: nobody can test what is changed each time. */
const mostChanged = 5

/** Drops the first build that is invalid, and all behind it. */
export function dropInvalid(draft: Draft): void {
  const { builds } = draft.record
  for (const [index, build] of builds.entries()) {
    const cause = invalidity(draft, build, builds[index - 1])
    if (cause === undefined) continue
    dropFrom(draft, index, cause)
    if (cause === 'branch_changed') countChange(draft)
    break
  }
  dropFrom(draft, firstOvertaken(draft), 'frozen')
}

/** With `test: rebase`, the branch is the author's own. */
function countChange(draft: Draft): void {
  if (draft.settings.test === 'rebase') return
  const changed = (draft.record.changed ?? 0) + 1
  change(draft, { changed })
  if (changed >= mostChanged) pause(draft, 'branches_changed')
}

/** Undefined where it shows what would land. */
function invalidity(
  { record, observed, settings, now }: Draft,
  build: Build,
  before: Build | undefined,
): VoidCause | undefined {
  const isIn = (members: readonly EntryRef[]) => (member: EntryRef) => members.some((each) => isSame(each, member))
  if (build.members.some(isIn(record.removals.map(({ member }) => member)))) return 'removed'
  const isRequested = build.members.every(isIn(observed.entries))
  if (!isRequested && !(settings.test === 'rebase' && comesBack(build, observed, now))) return 'entry_left'
  // A failed retry does not need its branch; what is behind a build needs the first one.
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

/** Whether the entry may come back with its rebased head: while the pipeline of that runs, and shortly after it is green. */
function comesBack({ attempts }: Build, observed: Draft['observed'], now: number): boolean {
  const isMade = attempts.some(({ number }) => observed.attempts.get(number)?.is === 'made')
  return isMade && attempts.every(({ passed }) => passed === undefined || now < passed + comesBackWithinMs)
}

/** False where somebody deleted its branch, or pushed to it. */
function isUnchanged({ commit }: Attempt, state: AttemptState | undefined): boolean {
  if (state?.is === 'foreign') return false
  return commit === undefined || (state?.is === 'made' && state.commit === commit)
}

/** The first build that cannot land for now, although an entry behind it could; -1: none. */
function firstOvertaken(draft: Draft): number {
  const { builds } = draft.record
  const isFrozen = (member: EntryRef) => draft.observed.entries.some((entry) => entry.frozen && isSame(entry, member))
  const first = builds.findIndex(({ members }) => members.some(isFrozen))
  if (first === -1) return -1
  const candidates = candidatesBehind(draft, membersOf(builds.slice(0, first)))
  return candidates.some(({ frozen }) => !frozen) ? first : -1
}
