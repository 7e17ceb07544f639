// What is known today of a merge request as it was just before it was merged or closed: what cannot have changed since, what Bellhop saw of it, and no more.

import { sources } from '../../rules/facts/definition/sources.ts'
import { factNamed, facts } from '../../rules/facts/index.ts'
import { parseTime } from '../../rules/facts/time.ts'
import type { OverrideValue } from '../../rules/testing/override-value.ts'
import type { Json, Override } from '../../rules/types.ts'

export interface PastMoment {
  /** ISO 8601. */
  now: string
  overrides: Override[]
}

/** The facts of the last evaluation while it was open, by name. */
export type LastEvaluation = Readonly<Record<string, Json>>

/** A merge request as a list shows it. */
export interface PastMergeRequest {
  state?: string | undefined
  sha?: unknown
  merged_at?: unknown
  closed_at?: unknown
}

const known = (value: Json): OverrideValue => ({ is: 'known', value, complete: true })

const WORDS = /what (\w+) was then is not known/g
const reasonFor = (fact: string) => `what ${fact} was then is not known`

/** The facts that a sentence names as unknown for this reason. */
export function unknownIn(sentence: string): string[] {
  return [...sentence.matchAll(WORDS)].map(([, fact = '']) => fact)
}

/** Settings of the project are taken as they are today; so is what is always the same. */
function isLasting(name: string, state: string): boolean {
  const fact = factNamed(name)
  if (fact === undefined) return false
  if (fact.stable === true || fact.ofEvents === true || fact.lasting === true) return true
  if (fact.lasting === 'merged' && state === 'merged') return true
  return fact.from.length > 0 && fact.from.every((source) => source === sources.project.name)
}

/** What was seen counts where it was seen of the last head: what was said of another head, such as its approvals, may have been over. */
export function seenOfLast(
  { sha }: PastMergeRequest,
  seen: { head: string | null; facts: LastEvaluation } | undefined,
): LastEvaluation | undefined {
  return typeof sha === 'string' && seen?.head === sha ? seen.facts : undefined
}

/** The moment just before its end, with every fact of which the present value need not be the one it had: as Bellhop saw it, or unknown. Undefined for one that is open. */
export function pastMoment(listed: PastMergeRequest, now: string, seen: LastEvaluation = {}): PastMoment | undefined {
  const { state } = listed
  if (state !== 'merged' && state !== 'closed') return undefined
  const ended = parseTime(state === 'merged' ? listed.merged_at : listed.closed_at)
  const timed = ended === undefined ? [] : ['clock', 'age']
  const overrides = Object.keys(facts).flatMap((fact): Override[] => {
    const value = factNamed(fact)?.beforeEnd?.[state]
    if (value !== undefined) return [{ fact, is: known(value) }]
    if (isLasting(fact, state) || timed.includes(fact)) return []
    const then = Object.hasOwn(seen, fact) ? seen[fact] : undefined
    return [{ fact, is: then === undefined ? { is: 'absent', reason: reasonFor(fact) } : known(then) }]
  })
  return { now: ended === undefined ? now : new Date(ended).toISOString(), overrides }
}
