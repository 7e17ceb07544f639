// Makes the branches of builds that have none, and begins new builds if the window allows.
import { hasFailed } from './attempts.ts'
import { change, isSame, type MutablePlan, membersOf } from './mutable-plan.ts'
import { candidatesBehind, conflictsWith } from './order.ts'
import { isTargetTested } from './target-test.ts'
import type { Build, Entry, EntryRef } from './types.ts'

export function startBuilds(plan: MutablePlan): void {
  let members = nextMembers(plan)
  while (members.length > 0) {
    const { builds } = plan.record
    const number = plan.observed.newNumber()
    const since = plan.settings.test === 'rebase' ? { since: plan.now } : {}
    change(plan, { builds: [...builds, { members, attempts: [{ number, ...since }] }] })
    members = nextMembers(plan)
  }
  for (const index of plan.record.builds.keys()) makeBranches(plan, index)
}

/** The members of the next build; empty if nothing is to be built now. */
function nextMembers(plan: MutablePlan): EntryRef[] {
  const { record, settings, now, deadlines } = plan
  if (isTargetTested(plan) || record.overtaking !== undefined) return []
  if (record.builds.length >= record.window || record.builds.some((build) => hasFailed(plan, build))) return []
  const most = settings.land === 'push' ? settings.batch.most : 1
  const members = together(plan, candidatesBehind(plan, membersOf(record.builds)), most)
  const begins = Math.min(...members.map(({ since }) => since)) + settings.batch.waitMs
  if (members.length < most && begins > now) {
    if (members.length > 0) deadlines.push(begins)
    return []
  }
  return members.map(({ iid, head }) => ({ iid, head }))
}

/** The first ones that may share a build: all of them may land, or none, and no conflict is known. */
function together(plan: MutablePlan, candidates: readonly Entry[], most: number): Entry[] {
  const chosen: Entry[] = []
  for (const entry of candidates) {
    if (chosen.length === most) break
    if (entry.frozen === candidates[0]?.frozen && !conflictsWith(plan, entry, chosen)) chosen.push(entry)
  }
  return chosen
}

/** Makes the branches of a build, once what it is built on exists. */
function makeBranches(plan: MutablePlan, index: number): void {
  const { builds } = plan.record
  const build = builds[index]
  const before = index === 0 ? plan.observed.target : builds[index - 1]
  if (build === undefined || before?.commit === undefined || before.tree === undefined) return
  const { commit: onto, tree } = before
  if (build.commit === undefined)
    change(plan, { builds: builds.with(index, { ...build, base: { commit: onto, tree } }) })
  // A later run asks again for a head that is late.
  for (const { number, commit } of build.attempts)
    if (commit === undefined && plan.observed.attempts.get(number)?.is !== 'late')
      plan.steps.push({ do: 'build', attempt: number, onto, members: build.members, ...repeated(plan, build) })
}

function repeated({ record: { removed = [] } }: MutablePlan, { attempts, members }: Build): { isRepeated?: true } {
  const wasRemoved = removed.some(({ member }) => members.some((each) => isSame(each, member)))
  return wasRemoved || attempts.some(({ failed }) => failed !== undefined) ? { isRepeated: true } : {}
}
