// Picks reviewers when the rule becomes true, and replaces those who do nothing.
import { callData } from '../../../api/call-data.ts'
import { sources } from '../../facts/definition/sources.ts'
import { formatDuration } from '../../language/values/durations.ts'
import { isMap } from '../../language/values/shapes.ts'
import type { SourceName } from '../../types.ts'
import { type ActionOutcome, blockedBy, nothingToDo, oneCall } from '../definition/action.ts'
import { namesById, sayNames, userIds } from '../definition/people.ts'
import { candidatesFor, type PickInput } from './candidates.ts'
import { type Chosen, choose } from './choose.ts'
import type { PickArgs } from './pick-arguments.ts'
import { endOfWait, MOST_PICKS, type PickedReviewer, pickedIn, pickedMemo, waitedFor, whoHasBegun } from './picked.ts'

type PickPlan = { needs: SourceName[] } | ActionOutcome

const namesOf = (people: readonly { name: string }[]) => people.map(({ name }) => name)

export function pickReviewers(args: PickArgs, given: PickInput): PickPlan {
  const state = given.fact('state')
  if (state !== 'opened') return nothingToDo(`it is ${String(state)}`)
  return given.doneBefore ? replaceIdle(args, given) : pickFirst(args, given)
}

function presentIds({ answer }: PickInput): number[] | undefined {
  const read = answer(sources.mergeRequest.name)
  return userIds(read?.ok === true && isMap(read.body) ? read.body.reviewers : undefined)
}

function callFor(
  detail: string,
  { chosen, removed = [] }: { chosen: readonly Chosen[]; removed?: readonly PickedReviewer[] },
  given: PickInput,
): ActionOutcome {
  const present = presentIds(given)
  if (present === undefined) return blockedBy('the reviewers cannot be read')
  const kept = present.filter((id) => !removed.some((each) => each.id === id))
  const reviewer_ids = [...new Set([...kept, ...chosen.map(({ id }) => id)])]
  const call = callData('mergeRequests.update', { ...given.mr, reviewer_ids })
  return oneCall(detail, call, {
    takesOff: removed.length === 0 ? undefined : { reviewer_ids: removed.map(({ id }) => id) },
    memo: { ...namesById(chosen), ...pickedMemo(given.rule, chosen) },
    effects: [
      ...(removed.length === 0 ? [] : [{ fact: 'reviewers' as const, remove: namesOf(removed) }]),
      { fact: 'reviewers', add: namesOf(chosen) },
    ],
  })
}

function pickFirst(args: PickArgs, given: PickInput): PickPlan {
  const candidates = candidatesFor(args, given)
  if ('needs' in candidates) return candidates
  if ('blocked' in candidates) return blockedBy(candidates.blocked)
  const all = new Set(candidates.lists.flat().map(({ name }) => name.toLowerCase()))
  // A reviewer who wrote it, or Bellhop, reviews nothing.
  for (const name of [given.fact('author'), given.bot.username]) all.delete(String(name).toLowerCase())
  const reviewers = given.fact('reviewers')
  const present = (Array.isArray(reviewers) ? reviewers : []).filter(
    (each): each is string => typeof each === 'string' && all.has(each.toLowerCase()),
  )
  if (present.length >= args.pick)
    return nothingToDo(`${sayNames(present)} ${present.length === 1 ? 'is a reviewer' : 'are reviewers'} already`)
  const wanted = args.pick - present.length
  const chosen = choose(candidates.lists, wanted, args, given)
  if (!Array.isArray(chosen)) return chosen
  if (chosen.length === 0) return blockedBy('nobody of those it may pick can be asked')
  const rest = chosen.length < wanted ? `; nobody else can be asked, and it picks ${args.pick}` : ''
  return callFor(`request a review by ${sayNames(namesOf(chosen))}${rest}`, { chosen }, given)
}

/** The outcome while nobody is to be replaced. */
function unchanged(detail: string, { dropped }: PickInput, more: object = {}): ActionOutcome {
  // What the service dropped is shown, and not sent again.
  if (dropped !== undefined) return { result: 'blocked', detail: dropped, handedOver: true, ...more }
  return { result: 'done_before', detail, ...more }
}

/** Replaces idle reviewers. If a person takes a reviewer off, nobody comes in their place. */
function replaceIdle(args: PickArgs, given: PickInput): PickPlan {
  const { replace_after: after } = args
  const waiting = after === 0 ? [] : waitedFor(given)
  const done = 'done when the rule became true'
  const due = waiting.filter((each) => endOfWait(each, after) <= Date.parse(given.now))
  if (due.length === 0) {
    const ends = waiting.map((each) => endOfWait(each, after)).filter((each) => !Number.isNaN(each))
    return unchanged(done, given, { changesAt: ends.length === 0 ? undefined : Math.min(...ends) })
  }
  const begun = whoHasBegun(due, given)
  if (begun !== 'unknown' && !Array.isArray(begun)) return begun
  const active = begun === 'unknown' ? [] : namesOf(begun)
  const idle = due.filter(({ name }) => !active.includes(name))
  const stay = (detail: string) => {
    const noticed = { rule: given.rule, active, waiting: namesOf(idle), at: given.now }
    const changesAt = idle.length === 0 ? undefined : Date.parse(given.now) + after * 1000
    return unchanged(detail, given, { noticed, changesAt })
  }
  if (begun === 'unknown') return stay('whether the reviewers have begun cannot be read')
  if (idle.length === 0) return stay(done)
  const asked = pickedIn(given.memory).filter(({ rule }) => rule === given.rule).length
  const most = Math.min(idle.length, MOST_PICKS - asked)
  if (most <= 0) return stay(`${MOST_PICKS} people were asked, and it asks no more`)
  const candidates = candidatesFor(args, given)
  if ('needs' in candidates) return candidates
  if ('blocked' in candidates) return stay(candidates.blocked)
  const chosen = choose(candidates.lists, most, args, given)
  if (!Array.isArray(chosen)) return chosen
  if (chosen.length === 0) return stay(`${sayNames(namesOf(idle))} did nothing yet, and nobody else can be asked`)
  const removed = idle.slice(0, chosen.length)
  const detail = `request a review by ${sayNames(namesOf(chosen))} in place of ${sayNames(namesOf(removed))}, who did nothing for ${formatDuration(after, 'calendar')}`
  return callFor(detail, { chosen, removed }, given)
}
