// What is known today of a merge request as it was just before it was merged or closed: what cannot have changed since, what Bellhop saw of it, and no more.
import { facts } from '../../rules/facts/index.ts'
import { parseTime } from '../../rules/facts/time.ts'
import { sources } from '../../rules/sources.ts'
import type { SupposedValue } from '../../rules/suppose-value.ts'
import type { Json, Supposition } from '../../rules/types.ts'
import { factNamed } from '../../rules/view.ts'

export interface PastMoment {
  /** ISO 8601. */
  now: string
  suppose: Supposition[]
}

/** What Bellhop saw of it when it last judged it open, by fact. */
export type Seen = Readonly<Record<string, Json>>

/** A merge request as a list shows it. */
export interface Listed {
  state?: string | undefined
  sha?: unknown
  merged_at?: unknown
  closed_at?: unknown
}

/** The commits and changes of one that is merged or closed stay as they were. */
const lasting = [
  ...['head', 'changed_files', 'changed_files_count', 'lines_changed', 'versions_count', 'web_url'],
  ...['commits_count', 'commit_titles', 'commit_messages', 'commit_authors'],
]
/** Nobody sets these any more once it is merged. */
const lastingWhenMerged = ['target_branch', 'squash', 'remove_source_branch']

const known = (value: Json): SupposedValue => ({ is: 'known', value, complete: true })

/** What follows from the end that it had: the service merges nothing that is a draft or conflicts. */
const implied: Record<string, Record<string, SupposedValue>> = {
  merged: {
    state: known('opened'),
    draft: known(false),
    has_conflicts: known(false),
    mergeability: known('can_be_merged'),
    merge_commit_sha: known(null),
  },
  closed: { state: known('opened'), merge_commit_sha: known(null) },
}

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
  if (fact.stable === true || fact.ofEvents === true || lasting.includes(name)) return true
  if (state === 'merged' && lastingWhenMerged.includes(name)) return true
  return fact.from.length > 0 && fact.from.every((source) => source === sources.project.name)
}

/** What was seen counts where it was seen of the last head: what was said of another head, such as its approvals, may have been over. */
export function seenOfLast({ sha }: Listed, seen: { head: string | null; facts: Seen } | undefined): Seen | undefined {
  return typeof sha === 'string' && seen?.head === sha ? seen.facts : undefined
}

/** The moment just before its end, with every fact of which the present value need not be the one it had: as Bellhop saw it, or unknown. Undefined for one that is open. */
export function pastMoment(listed: Listed, now: string, seen: Seen = {}): PastMoment | undefined {
  const { state } = listed
  if (state !== 'merged' && state !== 'closed') return undefined
  const ended = parseTime(state === 'merged' ? listed.merged_at : listed.closed_at)
  const timed = ended === undefined ? [] : ['clock', 'age']
  const own = implied[state] ?? {}
  const suppose = Object.keys(facts).flatMap((fact): Supposition[] => {
    const value = own[fact]
    if (value !== undefined) return [{ fact, is: value }]
    if (isLasting(fact, state) || timed.includes(fact)) return []
    const then = Object.hasOwn(seen, fact) ? seen[fact] : undefined
    return [{ fact, is: then === undefined ? { is: 'absent', reason: reasonFor(fact) } : known(then) }]
  })
  return { now: ended === undefined ? now : new Date(ended).toISOString(), suppose }
}
