// Drops builds that no longer show what would land: the target moved, a member left, a branch was changed.
import { change, type Draft, dropFrom, isSame, membersOf } from './draft.ts'
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

/** Drops the first build that is invalid, and all behind it. */
export function dropInvalid(draft: Draft): void {
  const { builds } = draft.record
  for (const [index, build] of builds.entries()) {
    const cause = invalidity(draft, build, builds[index - 1])
    if (cause === undefined) continue
    dropFrom(draft, index, cause)
    break
  }
  dropFrom(draft, firstOvertaken(draft), 'frozen')
}

/** Undefined where it shows what would land. */
function invalidity(
  { record, observed, settings }: Draft,
  build: Build,
  before: Build | undefined,
): VoidCause | undefined {
  const isIn = (members: readonly EntryRef[]) => (member: EntryRef) => members.some((each) => isSame(each, member))
  if (build.members.some(isIn(record.removals.map(({ member }) => member)))) return 'removed'
  if (!build.members.every(isIn(observed.entries))) return 'entry_left'
  if (!build.attempts.every((attempt) => isUnchanged(attempt, observed.attempts.get(attempt.number))))
    return 'branch_changed'
  if (build.base === undefined) return undefined
  if (before !== undefined) return build.base.commit === before.commit ? undefined : 'branch_changed'
  const { target } = observed
  // A push needs the very commit. The service's own merge makes another commit of the same tree.
  const isSameTarget =
    settings.land === 'push' ? build.base.commit === target?.commit : build.base.tree === target?.tree
  return isSameTarget ? undefined : 'target_moved'
}

/** False where somebody deleted its branch, or pushed to it. A failed attempt does not need its branch. */
function isUnchanged({ commit, failed }: Attempt, state: AttemptState | undefined): boolean {
  if (failed !== undefined) return true
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
