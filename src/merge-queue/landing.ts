// Settles a landing that was requested: landed as tested, to be sent again, or in vain.
import { isGreen } from './attempts.ts'
import { change, type Draft, dropFrom, isSame, pause, remove } from './draft.ts'
import type { EntryRef, LandedAs, Landing, MergeQueueSettings } from './types.ts'

const mostRecent = 50
/** Longer than a service takes to carry out a request that nobody waits for any more. */
const latestMs = 2 * 60_000

/** While a landing stays in the record, its outcome is uncertain, and nothing else may land. */
export function settleLanding(draft: Draft): void {
  const { landing } = draft.record
  if (landing === undefined) return
  const outcome = draft.observed.landing
  if (outcome?.is === 'landed') finish(draft, landing, outcome)
  else if (outcome?.is === 'refused') giveUp(draft, landing, outcome.because)
  else if (outcome?.is === 'unsent') forget(draft)
  else if (mayBeSentAgain(draft, landing)) draft.steps.push({ do: 'land', landing })
  else if (mayArriveLate(draft, landing)) draft.deadlines.push(landing.since + latestMs)
  else forget(draft)
}

/**
 * After a lost response or a crash, where the target did not move: the service refuses a second merge of the same head.
 * Where it moved without the members, what was tested is not what would land; and a pipeline may run once more.
 */
function mayBeSentAgain(draft: Draft, { from, members }: Landing): boolean {
  const { record, observed } = draft
  const [front] = record.builds
  const isRemoved = (member: EntryRef) => record.removals.some((removal) => isSame(removal.member, member))
  const isRequested = members.every(
    (member) => !isRemoved(member) && observed.entries.some((entry) => isSame(entry, member) && !entry.frozen),
  )
  const isTested = front !== undefined && isGreen(draft, front)
  return observed.target?.commit === from.commit && isRequested && isTested && record.paused === undefined
}

/** The service may still carry out a request whose response was lost: that has to be noticed. */
const mayArriveLate = ({ now }: Draft, { by, since }: Landing) => by === 'accept' && now < since + latestMs

function giveUp(draft: Draft, { members }: Landing, because: 'merge_request' | 'project'): void {
  forget(draft)
  if (because === 'project') pause(draft, 'landing_refused')
  else for (const member of members) remove(draft, { member, reason: 'landing_refused' })
}

/** Whether it is what was tested. */
export const isVerified = ({ tree, from }: Landing, landed: LandedAs) =>
  landed.elsewhere === undefined && landed.tree === tree && landed.onto === from.commit

function finish(draft: Draft, landing: Landing, landed: LandedAs): void {
  forget(draft)
  const { settings, now } = draft
  const { changed: _, ...record } = draft.record
  draft.record = record
  change(draft, { recent: [{ ...landing, at: now }, ...record.recent].slice(0, mostRecent) })
  if (!isVerified(landing, landed)) {
    dropFrom(draft, 1, 'unverified_landing')
    dropFrom(draft, 0)
    pause(draft, 'unverified_landing')
    return
  }
  const isLanded = record.builds[0]?.members.every((member) => landing.members.some((each) => isSame(each, member)))
  change(draft, {
    builds: isLanded ? record.builds.slice(1) : record.builds,
    window: Math.min(settings.speculate.most, record.window + 1),
  })
}

function forget(draft: Draft): void {
  const { landing: _, ...record } = draft.record
  draft.record = record
}

/** A landing is settled in the way in which it was requested; for `test: rebase`, commits stand for trees. */
export const testOf = ({ tree, commit }: Landing): MergeQueueSettings['test'] => (tree === commit ? 'rebase' : 'branch')
