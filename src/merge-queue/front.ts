// What becomes of the first build: it lands, leaves, or is divided.
import { hasFailed, isGreen, triesOf } from './attempts.ts'
import { change, dropFrom, isSame, type MutablePlan } from './mutable-plan.ts'
import { suspect } from './target-test.ts'
import type { Build, EntryRef } from './types.ts'

/** A build behind the first waits for the one before it, which may be the cause of its failure. */
export function settleFront(plan: MutablePlan): void {
  const [front] = plan.record.builds
  if (front === undefined || front.members.length === 0 || !hasFailed(plan, front)) return
  const [first, ...more] = front.members
  const attempt = front.attempts.at(-1)
  dropFrom(plan, 1, 'failed_ahead')
  dropFrom(plan, 0)
  // Fewer builds at once: the tests of those behind it were wasted.
  const { least } = plan.settings.speculate
  change(plan, { window: Math.max(least, Math.floor(plan.record.window / 2)) })
  if (more.length > 0) divide(plan, front.members)
  else if (first !== undefined && attempt?.failed !== undefined)
    suspect(plan, { member: first, reason: attempt.failed, attempt: attempt.number, on: front.base?.tree })
}

/** Two halves, the second on top of the first: both green means that the whole failed by chance. */
function divide(plan: MutablePlan, members: readonly EntryRef[]): void {
  const middle = Math.ceil(members.length / 2)
  const halves = [members.slice(0, middle), members.slice(middle)]
  const builds = halves.map((half): Build => ({ members: half, attempts: [{ number: plan.observed.newNumber() }] }))
  change(plan, { builds })
}

/** Lands the first build if it is green, on exactly what it was built on. */
export function startLanding(plan: MutablePlan): void {
  const { record, observed, steps } = plan
  const [front] = record.builds
  const { target } = observed
  if (record.paused !== undefined || observed.holdsLanding === true || target === undefined) return
  if (front?.members.length === 0 || record.testing !== undefined) return
  if (front?.commit === undefined || front.tree === undefined || !isGreen(plan, front)) return
  const entries = observed.entries.filter((entry) => front.members.some((member) => isSame(entry, member)))
  if (entries.length < front.members.length || entries.some(({ frozen }) => frozen)) return
  const begun = front.attempts[0]?.since
  const passed = front.attempts.find((attempt) => attempt.passed !== undefined)?.passed
  const { members, tree, commit } = front
  const isOwn = front.attempts.some(({ own }) => own)
  const testedMs = begun === undefined || passed === undefined || isOwn ? undefined : passed - begun
  const failures = triesOf(front) - 1
  const how = { testedMs, ...(failures > 0 ? { failures } : {}), ...(isOwn ? { own: true as const } : {}) }
  const landing = { since: plan.now, by: plan.settings.land, members, from: target, tree, commit, ...how }
  change(plan, { landing })
  steps.push({ do: 'land', landing })
}
