// Picks reviewers among the candidates when the rule becomes true, and replaces those who do nothing.
import { callData } from '../../../api/call-data.ts'
import { items, userIn } from '../../facts/definition/service-values.ts'
import { sources } from '../../facts/definition/sources.ts'
import { formatDuration } from '../../language/values/durations.ts'
import { isMap } from '../../language/values/shapes.ts'
import { type ActionOutcome, blockedBy, nothingToDo, oneCall } from '../definition/action.ts'
import { namesById, sayNames, userIds } from '../definition/people.ts'
import {
  type Candidate,
  candidatesFor,
  endOfWait,
  MOST_PICKS,
  type PickArgs,
  type PickedReviewer,
  type PickInput,
  pickedIn,
  pickedMemo,
  waitedFor,
  whoHasBegun,
} from './candidates.ts'

const namesOf = (people: readonly { name: string }[]) => people.map(({ name }) => name)

export function pickReviewers(args: PickArgs, given: PickInput): ActionOutcome {
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

function pickFirst(args: PickArgs, given: PickInput): ActionOutcome {
  const candidates = candidatesFor(args, given)
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
function replaceIdle(args: PickArgs, given: PickInput): ActionOutcome {
  const { replace_after: after } = args
  const waiting = after === 0 ? [] : waitedFor(given)
  const done = 'done when the rule became true'
  const due = waiting.filter((each) => endOfWait(each, after) <= Date.parse(given.now))
  if (due.length === 0) {
    const ends = waiting.map((each) => endOfWait(each, after)).filter((each) => !Number.isNaN(each))
    return unchanged(done, given, { changesAt: ends.length === 0 ? undefined : Math.min(...ends) })
  }
  const begun = whoHasBegun(due, given)
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
  if ('blocked' in candidates) return stay(candidates.blocked)
  const chosen = choose(candidates.lists, most, args, given)
  if (chosen.length === 0) return stay(`${sayNames(namesOf(idle))} did nothing yet, and nobody else can be asked`)
  const removed = idle.slice(0, chosen.length)
  const detail = `request a review by ${sayNames(namesOf(chosen))} in place of ${sayNames(namesOf(removed))}, who did nothing for ${formatDuration(after, 'calendar')}`
  return callFor(detail, { chosen, removed }, given)
}

/** The most candidates that are compared or looked up. */
const MOST_LOOKED_AT = 20

interface Chosen {
  id: number
  name: string
}

const key = (name: string) => name.toLowerCase()
const namesIn = (value: unknown) => (Array.isArray(value) ? value : []).filter((each) => typeof each === 'string')

/** Whether somebody may not be asked, whatever the service says about them. */
function isLeftOut(name: string, { fact, policy, memory, bot }: PickInput): boolean {
  const out = [
    ...[fact('author'), bot.username].filter((each) => typeof each === 'string'),
    ...(policy?.absent ?? []),
    ...namesIn(fact('reviewers')),
    // Reviewers whom somebody or Bellhop took off are not asked again.
    ...pickedIn(memory).map((each) => each.name),
  ]
  return out.some((each) => key(each) === key(name))
}

/** The candidates by name, beginning with another one for each merge request. */
function inTurn(list: readonly Candidate[], { pick }: PickArgs, iid: number): Candidate[] {
  const sorted = [...list].sort((one, other) => (key(one.name) < key(other.name) ? -1 : 1))
  const start = sorted.length === 0 ? 0 : (iid * pick) % sorted.length
  return [...sorted.slice(start), ...sorted.slice(0, start)]
}

/** The first of each list, then the second of each, and so on; each person once. */
function interleaved(lists: readonly (readonly Candidate[])[]): Candidate[] {
  const longest = Math.max(0, ...lists.map(({ length }) => length))
  const all = Array.from({ length: longest }, (_, place) => lists.flatMap((list) => list[place] ?? [])).flat()
  return [...new Map(all.map((each) => [key(each.name), each])).values()]
}

/** The number of open reviews; the largest number if the service does not say. */
function openReviews(name: string, { answer }: PickInput): number {
  const read = answer(`${sources.openReviews.name}@${name}`)
  return (read?.ok === true ? items(read.body as unknown[]) : undefined)?.length ?? Number.MAX_SAFE_INTEGER
}

/** The candidates in the order in which they are asked; none before their open reviews are read. */
function ordered(lists: readonly (readonly Candidate[])[], args: PickArgs, given: PickInput): Candidate[] {
  const turns = lists.map((list) =>
    inTurn(list, args, given.mr.merge_request_iid).filter(({ name }) => !isLeftOut(name, given)),
  )
  if (args.by === 'turn') return interleaved(turns)
  const compared = new Set(
    interleaved(turns)
      .slice(0, MOST_LOOKED_AT)
      .map(({ name }) => key(name)),
  )
  // The sort is stable: candidates with equally many stay in turn.
  const few = turns.map((list) =>
    list
      .filter(({ name }) => compared.has(key(name)))
      .map((each) => ({ each, open: openReviews(each.name, given) }))
      .sort((one, other) => one.open - other.open)
      .map(({ each }) => each),
  )
  return given.unread.size > 0 ? [] : interleaved(few)
}

/** The candidate with its id; undefined if it cannot be asked, or is not read yet. */
function look({ name, id }: Candidate, { answer }: PickInput): Chosen | undefined {
  const listed = id === undefined ? answer(`${sources.user.name}@${name}`) : undefined
  const user = id === undefined ? userIn(listed?.ok === true && listed.body, name) : { id, isActive: true }
  if (user?.isActive !== true) return undefined
  const status = answer(`${sources.userStatus.name}@${user.id}`)
  // A user whose status cannot be read counts as free.
  const isBusy = status?.ok === true && isMap(status.body) && status.body.availability === 'busy'
  return status === undefined || isBusy ? undefined : { id: user.id, name }
}

/** At most `most` of them. */
export function choose(
  lists: readonly (readonly Candidate[])[],
  most: number,
  args: PickArgs,
  given: PickInput,
): Chosen[] {
  const chosen: Chosen[] = []
  for (const candidate of ordered(lists, args, given).slice(0, MOST_LOOKED_AT)) {
    if (chosen.length + given.unread.size >= most) break
    const found = look(candidate, given)
    if (found !== undefined) chosen.push(found)
  }
  return chosen
}
