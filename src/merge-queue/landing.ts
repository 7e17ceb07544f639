// Settles a landing that was requested: it landed, is sent again, or is given up.
import { isGreen } from './attempts.ts'
import { change, dropFrom, isSame, type MutablePlan, pause, remove } from './mutable-plan.ts'
import type { LandedAs, Observed } from './observed.ts'
import type { EntryRef, Landing, MergeQueueSettings } from './types.ts'

type Outcome = NonNullable<Observed['landing']>

const mostRecent = 50
/** A service carries out a request whose response was lost within this time. */
const latestMs = 2 * 60_000

/** While a landing stays in the record, its outcome is uncertain, and nothing else may land. */
export function settleLanding(plan: MutablePlan): void {
  const { landing } = plan.record
  if (landing === undefined) return
  const outcome = plan.observed.landing
  if (outcome?.is === 'landed') finish(plan, landing, outcome)
  else if (outcome?.is === 'refused') giveUp(plan, landing, outcome)
  else if (outcome?.is === 'unsent') forget(plan)
  else if (mayBeSentAgain(plan, landing)) plan.steps.push({ do: 'land', landing })
  else if (mayArriveLate(plan, landing)) plan.deadlines.push(landing.since + latestMs)
  else forget(plan)
}

/**
 * After a lost response or a crash, if the target did not move: the service refuses a second merge of the same head.
 * If it moved without the members, what was tested is not what would land. A pipeline may also have started again.
 */
function mayBeSentAgain(plan: MutablePlan, { from, members }: Landing): boolean {
  const { record, observed } = plan
  const [front] = record.builds
  const isRemoved = (member: EntryRef) => record.removals.some((removal) => isSame(removal.member, member))
  const isRequested = members.every(
    (member) => !isRemoved(member) && observed.entries.some((entry) => isSame(entry, member) && !entry.frozen),
  )
  const isTested = front !== undefined && isGreen(plan, front)
  return observed.target?.commit === from.commit && isRequested && isTested && record.paused === undefined
}

/** The service may still carry out a request whose response was lost, so the landing stays in the record. */
const mayArriveLate = ({ now }: MutablePlan, { by, since }: Landing) => by === 'accept' && now < since + latestMs

function giveUp(plan: MutablePlan, { members }: Landing, { because, words }: Outcome & { is: 'refused' }): void {
  forget(plan)
  if (because === 'project') pause(plan, 'landing_refused', { words })
  else for (const member of members) remove(plan, { member, reason: 'landing_refused', words })
}

/** Whether what landed is what was tested. */
export const isVerified = ({ tree, from }: Landing, landed: LandedAs) =>
  landed.elsewhere === undefined && landed.tree === tree && landed.onto === from.commit

function finish(plan: MutablePlan, landing: Landing, landed: LandedAs): void {
  forget(plan)
  const { settings, now, record } = plan
  change(plan, { changed: undefined, recent: [{ ...landing, at: now }, ...record.recent].slice(0, mostRecent) })
  if (!isVerified(landing, landed)) {
    dropFrom(plan, 1, 'unverified_landing')
    dropFrom(plan, 0)
    const { onto, commit } = landed
    if (commit === undefined) pause(plan, 'unverified_landing')
    else change(plan, { testing: { is: 'landed', members: landing.members, commits: [onto, commit] } })
    return
  }
  const isLanded = record.builds[0]?.members.every((member) => landing.members.some((each) => isSame(each, member)))
  change(plan, {
    builds: isLanded ? record.builds.slice(1) : record.builds,
    window: Math.min(settings.speculate.most, record.window + 1),
  })
}

function forget(plan: MutablePlan): void {
  change(plan, { landing: undefined })
}

/** How the landing was tested, whatever the settings say now. With `test: rebase`, a commit stands for its tree. */
export const testOf = ({ tree, commit }: Landing): MergeQueueSettings['test'] => (tree === commit ? 'rebase' : 'branch')
