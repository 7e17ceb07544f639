// What Bellhop remembers about the reviewers that it picked, and whether they have begun.
import { sources } from '../../facts/definition/sources.ts'
import { isMap } from '../../language/values/shapes.ts'
import type { Memory, SourceName } from '../../types.ts'
import { actionMemory } from '../definition/action-memory.ts'
import type { PickInput } from './candidates.ts'

export interface PickedReviewer {
  id: number
  name: string
  /** `<file>#<rule name>` */
  rule: string
  /** ISO 8601: when the reviewer was asked, or was last idle. */
  at: string
  /** The reviewer has begun, so nobody replaces them. */
  active?: true
}

/** The picked reviewers, oldest first: nobody is picked twice, even after being removed. */
const picks = actionMemory<PickedReviewer[]>('review')
export const pickedIn = (memory: Memory): PickedReviewer[] => picks.of(memory) ?? []

/** How many people one rule asks at most about one merge request. */
export const MOST_PICKS = 20

const KEY = 'picked '

/** The memo of the call, from which memory learns who was picked. */
export const pickedMemo = (rule: string, chosen: readonly { id: number; name: string }[]) => ({
  [`${KEY}${rule}`]: chosen.map(({ id, name }) => ({ id, name })),
})

/** The memory after a call that asked people. */
export function rememberPicked(memory: Memory, memo: unknown, at: string): Memory {
  const added = Object.entries(isMap(memo) ? memo : {}).flatMap(([key, people]): PickedReviewer[] => {
    if (!key.startsWith(KEY) || !Array.isArray(people)) return []
    return (people as unknown[]).flatMap((each) =>
      isMap(each) && typeof each.id === 'number' && typeof each.name === 'string'
        ? [{ id: each.id, name: each.name, rule: key.slice(KEY.length), at }]
        : [],
    )
  })
  return added.length === 0 ? memory : picks.put(memory, [...pickedIn(memory), ...added])
}

/** The names of reviewers who have begun (`active`), and of those who are checked again after the same time. */
type NoticedPicks = { rule: string; active: string[]; waiting: string[]; at: string }

export function noticePicked(memory: Memory, noticed: unknown): Memory {
  if (!isMap(noticed) || pickedIn(memory).length === 0) return memory
  const { rule, active, waiting, at } = noticed as unknown as NoticedPicks
  const picked = pickedIn(memory).map((each): PickedReviewer => {
    if (each.rule !== rule) return each
    if (active.includes(each.name)) return { ...each, active: true }
    return waiting.includes(each.name) ? { ...each, at } : each
  })
  return picks.put(memory, picked)
}

const isNamed = (list: unknown, name: string) =>
  Array.isArray(list) && list.some((each) => typeof each === 'string' && each.toLowerCase() === name.toLowerCase())

/** The reviewers whom the rule picked, who are still reviewers, and who have not begun. */
export function waitedFor({ memory, rule, fact }: PickInput): PickedReviewer[] {
  return pickedIn(memory).filter(
    (each) => each.rule === rule && each.active !== true && isNamed(fact('reviewers'), each.name),
  )
}

export const endOfWait = ({ at }: PickedReviewer, seconds: number) => Date.parse(at) + seconds * 1000

/** Whether, by memory alone, somebody may have to be replaced. */
export function isAnyDue({ memory, now }: Pick<PickInput, 'memory' | 'now'>, seconds: number): boolean {
  return pickedIn(memory).some((each) => each.active !== true && endOfWait(each, seconds) <= Date.parse(now))
}

/** The people who have begun; the sources to read first; or `unknown` if that cannot be read. */
export function whoHasBegun(
  people: readonly PickedReviewer[],
  { answer, fact }: PickInput,
): PickedReviewer[] | { needs: SourceName[] } | 'unknown' {
  const [notes, states] = [answer(sources.notes.name), answer(sources.reviewerStates.name)]
  const needs = [
    ...(notes === undefined ? [sources.notes.name] : []),
    ...(states === undefined ? [sources.reviewerStates.name] : []),
  ]
  if (needs.length > 0) return { needs }
  // Fails closed: nobody is replaced whose work may be in the part that cannot be read.
  if (notes?.ok !== true || !notes.complete || !Array.isArray(notes.body)) return 'unknown'
  if (states?.ok !== true) return 'unknown'
  const wrote = (notes.body as unknown[]).flatMap((each) =>
    isMap(each) && each.system !== true && isMap(each.author) ? [each.author.id] : [],
  )
  const began = (Array.isArray(states.body) ? (states.body as unknown[]) : []).flatMap((each) =>
    isMap(each) && isMap(each.user) && each.state !== 'unreviewed' ? [each.user.id] : [],
  )
  return people.filter(({ id, name }) => wrote.includes(id) || began.includes(id) || isNamed(fact('approved_by'), name))
}
