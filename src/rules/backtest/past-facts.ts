// The facts just before a merge request or an issue ended: lasting and recorded ones, and the sources that they cost.

import { actionNamed } from '../actions/index.ts'
import { factsOfAction } from '../engine/triggers.ts'
import { type Fact, isFactOf } from '../facts/definition/fact.ts'
import { parseTime } from '../facts/definition/service-values.ts'
import { tellsOf } from '../facts/definition/source.ts'
import { mergeRequestSource, sourceNamed, sources } from '../facts/definition/sources.ts'
import { factNamed, facts } from '../facts/index.ts'
import { createView } from '../facts/reading/fact-view.ts'
import { factsIn } from '../language/conditions.ts'
import type { Subject } from '../language/values/rule-types.ts'
import { isMap } from '../language/values/shapes.ts'
import { knownValue } from '../testing/overrides.ts'
import type { DecideInput, Json, Override, RuleAction, RuleFileInForce, SourceAnswer, SourceName } from '../types.ts'

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

const timedFacts = ['clock', 'age']
/** The service shows of merged ones who pushed, and whether the pipeline is older than the merge. */
const shownOfMerge = ['pushed_by', 'pipeline', 'pipeline_of_fork']

/** What nobody stored of a merged one: that it was merged at once, as most are. */
const beforeMerge: LastEvaluation = { merge_when_pipeline_succeeds: false, merge_train: 'none' }

/** The labels at that time: what was added and removed since is undone. Undefined if the events do not tell it. */
export function labelsAt(time: string, labels: unknown, events: SourceAnswer | undefined): Override | undefined {
  if (!Array.isArray(labels) || events?.ok !== true || !events.complete || !Array.isArray(events.body)) return undefined
  const then = new Set(labels.map(String))
  for (const event of (events.body as unknown[]).toReversed()) {
    const at = isMap(event) && typeof event.created_at === 'string' ? Date.parse(event.created_at) : Number.NaN
    if (at <= Date.parse(time)) break
    const name = isMap(event) && isMap(event.label) ? event.label.name : undefined
    if (!isMap(event) || Number.isNaN(at) || typeof name !== 'string') return undefined
    if (event.action === 'add') then.delete(name)
    else then.add(name)
  }
  return { fact: 'labels', is: knownValue([...then]) }
}

/** The moment just before its end: facts that may have changed since are as stored or unknown. Undefined while open. */
export function pastMoment(listed: PastMergeRequest, now: string, seen: LastEvaluation = {}) {
  const { state, subject = 'merge_request' } = listed
  if (state !== 'merged' && state !== 'closed') return undefined
  const ended = parseTime(state === 'merged' ? listed.merged_at : listed.closed_at)
  const timed = ended === undefined ? [] : state === 'merged' ? [...timedFacts, ...shownOfMerge] : timedFacts
  const overrides = Object.keys(facts).flatMap((fact): Override[] => {
    const declared = factNamed(fact)
    if (declared === undefined || !isFactOf(declared, subject)) return []
    const value = declared.beforeEnd?.[state]
    if (value !== undefined) return [{ fact, is: knownValue(value) }]
    const usual = state === 'merged' && Object.hasOwn(beforeMerge, fact) ? beforeMerge[fact] : undefined
    const then = Object.hasOwn(seen, fact) ? seen[fact] : usual
    if (isLasting(fact, state) || (timed.includes(fact) && then === undefined)) return []
    return [{ fact, is: then === undefined ? { is: 'absent', reason: reasonFor(fact) } : knownValue(then) }]
  })
  return { now: ended === undefined ? now : new Date(ended).toISOString(), overrides }
}

/** What came with a merge: events before it, which explain what changed; the merge alone; or nothing: it may be old. */
export type MergeEvidence = 'events' | 'merge' | 'none'

/**
 * The facts before a merge that are not as the service says now (`present`): what the merge changes; and unknown, what
 * the last evaluation saw otherwise without an event that explains it. `seen`: undefined for an older head.
 */
export function factsBeforeMerge(seen: LastEvaluation = {}, present: LastEvaluation, evidence: MergeEvidence) {
  return Object.entries<Fact>(facts as Record<string, Fact>).flatMap(([fact, declared]): Override[] => {
    const { merged = fact === 'commits_behind' ? seen[fact] : undefined } = declared.beforeEnd ?? {}
    if (merged !== undefined) return [{ fact, is: knownValue(merged) }]
    if (isLasting(fact, 'merged') || fact === 'clock' || fact === 'age') return []
    const isSame = Object.hasOwn(seen, fact) && JSON.stringify(seen[fact]) === JSON.stringify(present[fact])
    const differs = Object.hasOwn(seen, fact) && Object.hasOwn(present, fact) && !isSame
    const isDoubtful = { events: false, merge: differs, none: !isSame }[evidence] || fact === 'commits_behind'
    return isDoubtful ? [{ fact, is: { is: 'absent', reason: reasonFor(fact) } }] : []
  })
}

const recorded = Object.keys(facts).filter((name) => factNamed(name)?.recorded === true)

/** Larger values are not recorded. */
const MOST = { characters: 1_000, entries: 100 }

const isSmall = (value: Json) =>
  (typeof value !== 'string' || value.length <= MOST.characters) &&
  (!Array.isArray(value) || (value.length <= MOST.entries && value.every(isSmall)))

/** The recorded facts that the answers contain completely. Nothing is read for them. */
export function transientFacts(input: DecideInput): Record<string, Json> {
  const view = createView(input)
  return Object.fromEntries(
    recorded.flatMap((name) => {
      const fact = view.fact(name)
      const isKept = fact.is === 'known' && fact.complete && isSmall(fact.value) && !view.hides(name)
      return isKept ? [[name, fact.value] as const] : []
    }),
  )
}

function askedBy(asked: RuleAction, file: RuleFileInForce): { facts: string[]; answers: SourceName[] } {
  const action = actionNamed(asked.action)
  if (action === undefined) return { facts: [], answers: [] }
  const trust =
    action.limited === 'merge' && file.trust === 'repository'
      ? ['target_branch', 'default_branch', 'changed_files']
      : []
  return {
    facts: [...action.needs, ...factsOfAction(asked), ...trust],
    answers: action.reads?.answers?.(asked.args) ?? [],
  }
}

/** The sources of state rules for the subject; overridden facts need none. */
export function sourcesOf(
  files: readonly RuleFileInForce[],
  overrides: readonly Override[],
  of: Subject = 'merge_request',
): SourceName[] {
  const { names, answers } = readsOf(files, of)
  for (const { fact } of overrides) names.delete(fact)
  const read = [...names].flatMap((name) => factNamed(name)?.from ?? [])
  const all = new Set([mergeRequestSource, ...read, ...answers])
  return [...all].filter((name) => {
    const source = sourceNamed(name)
    return source !== undefined && tellsOf(source, of)
  })
}

/** The facts and answers that state rules for the subject read. */
export function readsOf(files: readonly RuleFileInForce[], of: Subject = 'merge_request') {
  const rules = files.flatMap((file) =>
    file.rules.rules
      .filter(({ on, subject = 'merge_request' }) => on === undefined && subject === of)
      .map((rule) => ({ file, rule })),
  )
  const asked = rules.flatMap(({ file, rule }) => rule.actions.map((action) => askedBy(action, file)))
  return {
    names: new Set([...rules.flatMap(({ rule }) => factsIn(rule.if)), ...asked.flatMap(({ facts }) => facts)]),
    answers: asked.flatMap(({ answers }) => answers),
  }
}

/** The fewest calls that read these sources. */
export function callsOf(sources: readonly SourceName[]): number {
  return sources.reduce((sum, name) => sum + (sourceNamed(name)?.pagedCalls?.length ?? 1), 0)
}
