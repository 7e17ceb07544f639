// What Bellhop remembers of the reviewers that it picked, and whether they have begun.
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
  /** ISO 8601: when it was asked, or last seen to be idle. */
  at: string
  /** It has begun, so nobody replaces it. */
  active?: true
}

/** Oldest first: whom somebody removed since is not picked again. */
const picks = actionMemory<PickedReviewer[]>('review')
export const pickedIn = (memory: Memory): PickedReviewer[] => picks.of(memory) ?? []

/** How many people one rule asks at most about one merge request. */
export const MOST_PICKS = 20

const KEY = 'picked '

/** For the memory, as the call carries it. */
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

/** What was found of picked reviewers without a call. */
export interface NotedPicks {
  [key: string]: string | string[]
  rule: string
  /** They have begun, and are not looked at again. */
  active: string[]
  /** They are looked at again after as long. */
  waiting: string[]
  at: string
}

export function noticePicked(memory: Memory, noted: unknown): Memory {
  if (!isMap(noted) || pickedIn(memory).length === 0) return memory
  const { rule, active, waiting, at } = noted as unknown as NotedPicks
  const picked = pickedIn(memory).map((each): PickedReviewer => {
    if (each.rule !== rule) return each
    if (active.includes(each.name)) return { ...each, active: true }
    return waiting.includes(each.name) ? { ...each, at } : each
  })
  return picks.put(memory, picked)
}

const isNamed = (list: unknown, name: string) =>
  Array.isArray(list) && list.some((each) => typeof each === 'string' && each.toLowerCase() === name.toLowerCase())

/** Those that the rule picked, that still review, and that were not seen to begin. */
export function waitedFor({ memory, rule, fact }: PickInput): PickedReviewer[] {
  return pickedIn(memory).filter(
    (each) => each.rule === rule && each.active !== true && isNamed(fact('reviewers'), each.name),
  )
}

export const endOfWait = ({ at }: PickedReviewer, seconds: number) => Date.parse(at) + seconds * 1000

/** Whether somebody may be due to be replaced, by memory alone. */
export function isAnyDue({ memory, now }: Pick<PickInput, 'memory' | 'now'>, seconds: number): boolean {
  return pickedIn(memory).some((each) => each.active !== true && endOfWait(each, seconds) <= Date.parse(now))
}

/** Who of them has begun; what to read first; or `unknown`, where it cannot be read. */
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
  // Fails closed: nobody is replaced whose work may be in what cannot be read.
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
