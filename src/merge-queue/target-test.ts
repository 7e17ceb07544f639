// Tests the target itself by a build without members: whether a landing, or the first entry, is red because of it.
import { hasFailed, isGreen } from './attempts.ts'
import { change, dropFrom, isSame, type MutablePlan, pause, remove, resume } from './mutable-plan.ts'
import type { Build, Removal } from './types.ts'

const mostReturned = 50

/** While the target is tested, or red, nothing else is built. */
export const isTargetTested = ({ record }: MutablePlan) =>
  record.testing !== undefined || record.paused?.reason === 'target_red'

/** Removes the only member of the first build, which is red; where the target may be the cause, that is tested first. */
export function suspect(plan: MutablePlan, removal: Omit<Removal, 'at'>): void {
  if (removal.reason === 'pipeline_skipped' || isTargetGreen(plan)) remove(plan, removal)
  else {
    change(plan, { testing: { is: 'suspect', removal } })
    begin(plan)
  }
}

/** With `test: rebase`, nothing can be tested without a merge request. */
function isTargetGreen({ record: { recent, green }, observed, settings }: MutablePlan): boolean {
  const tree = observed.target?.tree
  return settings.test !== 'branch' || observed.isTargetGreen === true || tree === green || tree === recent[0]?.tree
}

/** Reads the result of its test, or begins one if it is needed. */
export function settleTarget(plan: MutablePlan): void {
  forgetSuspect(plan)
  const [front] = plan.record.builds
  if (front?.members.length === 0) {
    if (isGreen(plan, front)) passed(plan, front)
    else if (hasFailed(plan, front)) failed(plan)
  }
  const { target, isTargetGreen: isRepaired } = plan.observed
  if (plan.record.paused?.reason === 'target_red' && isRepaired === true) resume(plan)
  const { paused, testing, builds } = plan.record
  const isOther = paused?.reason === 'target_red' && paused.commits?.[0] !== target?.commit
  if (testing !== undefined || isOther) begin(plan)
  else if (builds[0]?.members.length === 0) dropFrom(plan, 0)
}

/** On another target it is tested anew, if it is still there. */
function forgetSuspect(plan: MutablePlan): void {
  const { testing } = plan.record
  if (testing?.is !== 'suspect') return
  const { member, on } = testing.removal
  const isThere = plan.observed.entries.some((entry) => isSame(entry, member))
  if (!isThere || plan.observed.target?.tree !== on) change(plan, { testing: undefined })
}

function begin(plan: MutablePlan): void {
  if (plan.record.builds[0]?.members.length === 0) return
  change(plan, { builds: [{ members: [], attempts: [{ number: plan.observed.newNumber() }] }] })
}

function passed(plan: MutablePlan, { tree }: Build): void {
  const { testing, paused } = plan.record
  if (testing?.is === 'suspect') remove(plan, testing.removal)
  if (paused?.reason === 'target_red') resume(plan)
  change(plan, { testing: undefined, green: tree, builds: [] })
}

/** Fails closed: without a result, the target counts as red. */
function failed(plan: MutablePlan): void {
  const { testing, paused } = plan.record
  const { target } = plan.observed
  change(plan, { testing: undefined, builds: [] })
  if (testing?.is === 'landed') {
    pause(plan, 'unverified_landing', { commits: testing.commits })
    return
  }
  const commits = target === undefined ? [] : [target.commit]
  if (paused?.reason === 'target_red') change(plan, { paused: { ...paused, commits } })
  else pause(plan, 'target_red', { commits })
  bringBack(plan)
}

/** Who was removed on top of this target was removed for what is not theirs. */
function bringBack(plan: MutablePlan): void {
  const { removals, removed = [], returned = [] } = plan.record
  const isBack = ({ on, reason }: Removal) => on === plan.observed.target?.tree && reason.startsWith('pipeline_')
  change(plan, {
    removals: removals.filter((each) => !isBack(each)),
    removed: removed.filter((each) => !isBack(each)),
    returned: [...[...removals, ...removed].filter(isBack), ...returned].slice(0, mostReturned),
  })
}
