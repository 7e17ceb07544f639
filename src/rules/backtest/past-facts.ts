// The facts just before a merge request or an issue was merged or closed: those that cannot change, and stored ones.

import { isFactOf } from '../facts/definition/fact.ts'
import { parseTime } from '../facts/definition/parse-time.ts'
import { sources } from '../facts/definition/sources.ts'
import { factNamed, facts } from '../facts/index.ts'
import { knownValue } from '../testing/override-value.ts'
import type { Json, Override } from '../types.ts'

/** The facts of the last evaluation while it was open, by name. */
export type LastEvaluation = Readonly<Record<string, Json>>

/** A merge request or an issue as a list shows it. */
export interface PastMergeRequest {
  subject?: 'issue'
  state?: string
  sha?: unknown
  merged_at?: unknown
  closed_at?: unknown
}

const WORDS = /what (\w+) was then is not known/g
const reasonFor = (fact: string) => `what ${fact} was then is not known`

/** The facts that a sentence names as unknown for this reason. */
export function unknownIn(sentence: string): string[] {
  return [...sentence.matchAll(WORDS)].map(([, fact = '']) => fact)
}

/** Whether the present value is used: it cannot change, or it is a project setting. */
function isLasting(name: string, state: string): boolean {
  const fact = factNamed(name)
  if (fact === undefined) return false
  if (fact.stable === true || fact.ofEvents === true || fact.lasting === true) return true
  if (fact.lasting === 'merged' && state === 'merged') return true
  return fact.from.length > 0 && fact.from.every((source) => source === sources.project.name)
}

/** The stored facts of the last head, or of an issue; undefined for an older head: approvals may have been reset. */
export function seenOfLast(
  { sha, subject }: PastMergeRequest,
  seen: { head: string | null; facts: LastEvaluation } | undefined,
): LastEvaluation | undefined {
  if (subject === 'issue') return seen?.facts
  return typeof sha === 'string' && seen?.head === sha ? seen.facts : undefined
}

/** The moment just before its end: facts that may have changed since are as stored or unknown. Undefined while open. */
export function pastMoment(listed: PastMergeRequest, now: string, seen: LastEvaluation = {}) {
  const { state, subject = 'merge_request' } = listed
  if (state !== 'merged' && state !== 'closed') return undefined
  const ended = parseTime(state === 'merged' ? listed.merged_at : listed.closed_at)
  const timed = ended === undefined ? [] : ['clock', 'age']
  const overrides = Object.keys(facts).flatMap((fact): Override[] => {
    const declared = factNamed(fact)
    if (declared === undefined || !isFactOf(declared, subject)) return []
    const value = declared.beforeEnd?.[state]
    if (value !== undefined) return [{ fact, is: knownValue(value) }]
    if (isLasting(fact, state) || timed.includes(fact)) return []
    const then = Object.hasOwn(seen, fact) ? seen[fact] : undefined
    return [{ fact, is: then === undefined ? { is: 'absent', reason: reasonFor(fact) } : knownValue(then) }]
  })
  return { now: ended === undefined ? now : new Date(ended).toISOString(), overrides }
}
