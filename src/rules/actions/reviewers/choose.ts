// Chooses among the candidates: in turn or by open reviews, without those who cannot be asked.
import { items, userIn } from '../../facts/definition/list-items.ts'
import { sources } from '../../facts/definition/sources.ts'
import { isMap } from '../../language/values/shapes.ts'
import type { SourceName } from '../../types.ts'
import type { Candidate, PickInput } from './candidates.ts'
import type { PickArgs } from './pick-arguments.ts'
import { pickedIn } from './picked.ts'

/** The most candidates that are compared or looked up. */
const MOST_LOOKED_AT = 20

export interface Chosen {
  id: number
  name: string
}

const key = (name: string) => name.toLowerCase()
const namesIn = (value: unknown) => (Array.isArray(value) ? value : []).filter((each) => typeof each === 'string')

/** Whether somebody may not be asked, whatever the service says about them. */
function isLeftOut(name: string, { fact, absent, memory, bot }: PickInput): boolean {
  const out = [
    ...[fact('author'), bot.username].filter((each) => typeof each === 'string'),
    ...absent,
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

/** The candidates in the order in which they are asked; or the sources to read first. */
function ordered(
  lists: readonly (readonly Candidate[])[],
  args: PickArgs,
  given: PickInput,
): Candidate[] | { needs: SourceName[] } {
  const turns = lists.map((list) =>
    inTurn(list, args, given.mr.merge_request_iid).filter(({ name }) => !isLeftOut(name, given)),
  )
  if (args.by === 'turn') return interleaved(turns)
  const compared = new Set(
    interleaved(turns)
      .slice(0, MOST_LOOKED_AT)
      .map(({ name }) => key(name)),
  )
  const few = turns.map((list) => list.filter(({ name }) => compared.has(key(name))))
  const needs = few
    .flat()
    .map(({ name }) => `${sources.openReviews.name}@${name}`)
    .filter((name) => given.answer(name) === undefined)
  if (needs.length > 0) return { needs: [...new Set(needs)] }
  // The sort is stable: candidates with equally many stay in turn.
  return interleaved(
    few.map((list) => [...list].sort((a, b) => openReviews(a.name, given) - openReviews(b.name, given))),
  )
}

/** The candidate with its id; `no` if it cannot be asked; or the source to read first. */
function look({ name, id }: Candidate, { answer }: PickInput): Chosen | 'no' | { need: SourceName } {
  let found = id
  if (found === undefined) {
    const source = `${sources.user.name}@${name}`
    const read = answer(source)
    if (read === undefined) return { need: source }
    const user = userIn(read.ok && read.body, name)
    if (user?.isActive !== true) return 'no'
    found = user.id
  }
  const source = `${sources.userStatus.name}@${found}`
  const status = answer(source)
  if (status === undefined) return { need: source }
  // A user whose status cannot be read counts as free.
  return status.ok && isMap(status.body) && status.body.availability === 'busy' ? 'no' : { id: found, name }
}

/** At most `most` of them; or the sources to read first. */
export function choose(
  lists: readonly (readonly Candidate[])[],
  most: number,
  args: PickArgs,
  given: PickInput,
): Chosen[] | { needs: SourceName[] } {
  const order = ordered(lists, args, given)
  if (!Array.isArray(order)) return order
  const chosen: Chosen[] = []
  const needs: SourceName[] = []
  for (const candidate of order.slice(0, MOST_LOOKED_AT)) {
    if (chosen.length + needs.length >= most) break
    const found = look(candidate, given)
    if (found === 'no') continue
    if ('need' in found) needs.push(found.need)
    else chosen.push(found)
  }
  return needs.length > 0 ? { needs } : chosen
}
