// Makes the branches of builds that have none, and begins new builds where the window allows.
import { hasFailed } from './attempts.ts'
import { change, type Draft, membersOf } from './draft.ts'
import { candidatesBehind, conflictsWith } from './order.ts'
import type { Entry, EntryRef } from './types.ts'

export function startBuilds(draft: Draft): void {
  let members = nextMembers(draft)
  while (members.length > 0) {
    const { builds } = draft.record
    const number = draft.observed.newNumber()
    const since = draft.settings.test === 'rebase' ? { since: draft.now } : {}
    change(draft, { builds: [...builds, { members, attempts: [{ number, ...since }] }] })
    members = nextMembers(draft)
  }
  for (const index of draft.record.builds.keys()) makeBranches(draft, index)
}

/** The members of the next build; none where nothing is to be built now. */
function nextMembers(draft: Draft): EntryRef[] {
  const { record, settings, now, deadlines } = draft
  if (record.builds.length >= record.window || record.builds.some((build) => hasFailed(draft, build))) return []
  const most = settings.land === 'push' ? settings.batch.most : 1
  const members = together(draft, candidatesBehind(draft, membersOf(record.builds)), most)
  const begins = Math.min(...members.map(({ since }) => since)) + settings.batch.waitMs
  if (members.length < most && begins > now) {
    if (members.length > 0) deadlines.push(begins)
    return []
  }
  return members.map(({ iid, head }) => ({ iid, head }))
}

/** The first ones that may share a build: all of them may land, or none, and no conflict is known. */
function together(draft: Draft, candidates: readonly Entry[], most: number): Entry[] {
  const chosen: Entry[] = []
  for (const entry of candidates) {
    if (chosen.length === most) break
    if (entry.frozen === candidates[0]?.frozen && !conflictsWith(draft, entry, chosen)) chosen.push(entry)
  }
  return chosen
}

/** A build is made on what is before it, so that has to exist. */
function makeBranches(draft: Draft, index: number): void {
  const { builds } = draft.record
  const build = builds[index]
  const before = index === 0 ? draft.observed.target : builds[index - 1]
  if (build === undefined || before?.commit === undefined || before.tree === undefined) return
  const { commit: onto, tree } = before
  if (build.commit === undefined)
    change(draft, { builds: builds.with(index, { ...build, base: { commit: onto, tree } }) })
  // Of one that is late, a later run asks again.
  for (const { number, commit } of build.attempts)
    if (commit === undefined && draft.observed.attempts.get(number)?.is !== 'late')
      draft.steps.push({ do: 'build', attempt: number, onto, members: build.members })
}
