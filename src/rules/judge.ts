// Judges a condition against what is known: true, false or unknown, with the trace that explains it.
import { type Leaf, leafOf } from './compiled.ts'
import type { Fact } from './fact.ts'
import { sayValue } from './operators.ts'
import type { PatternWork, StepBudget } from './pattern-work.ts'
import type { Condition, FactValue, SourceName, Trace, Verdict } from './types.ts'
import type { View } from './view.ts'
import { cut } from './wording.ts'

export interface Judged {
  trace: Trace
  /** The sources that could still change an unknown verdict; empty where it is unknown for good. */
  needs: SourceName[]
  /** Milliseconds since 1970: before this moment the verdict stays, if nothing happens. Absent: it always does. */
  changesAt?: number
}

/** `true`: it only matters whether it can become true, as in a rule's `if`. `either`: false matters too, as inside a `not`. */
export type Goal = 'true' | 'either'

function sayActual(value: Extract<FactValue, { is: 'known' }>, { type }: Fact): string {
  const notes = [
    ...(value.note === undefined ? [] : [value.note]),
    ...(value.complete ? [] : [`and more: ${value.missing ?? 'the service cut it off'}`]),
  ]
  return cut(`${sayValue(value.value, type)}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`, 600)
}

/** What matching patterns may take. */
export interface Limits {
  budget: StepBudget
  work?: PatternWork | undefined
}

/** The verdict alone, without its trace. */
export function verdictOf({ condition, known }: Leaf, view: View, limits?: Limits): Verdict {
  if (known === undefined) return 'unknown'
  const value = view.fact(condition.fact)
  if (value.is !== 'known') return 'unknown'
  const { matching } = known
  const actual = { value: value.value, complete: value.complete, type: known.fact.type, work: limits?.work }
  if (matching !== undefined && limits?.budget.take(known, value.value, () => matching.steps(actual)) === false) return 'unknown'
  return known.holds(actual)
}

/** Judges a condition on one fact; `before` is its verdict, where it is known already. */
export function judgeFact(leaf: Leaf, view: View, before?: Verdict, limits?: Limits): Judged {
  const { condition, known } = leaf
  if (known === undefined) {
    const actual = 'unknown: this version does not know it'
    return { trace: { condition: condition.fact, verdict: 'unknown', wanted: condition.operator, actual }, needs: [] }
  }
  const { fact, operator, wanted } = known
  const value = view.fact(condition.fact)
  if (value.is !== 'known') {
    const [actual, needs] = value.is === 'unread' ? ['not read', [value.source]] : [`unknown: ${value.reason}`, []]
    const trace: Trace = { condition: condition.fact, verdict: 'unknown', wanted, actual, unblock: fact.unblock(wanted, undefined) }
    return { trace, needs }
  }
  const verdict = before ?? verdictOf(leaf, view, limits)
  const given = { value: value.value, complete: value.complete, type: fact.type }
  const found = view.actual(condition.fact, () => sayActual(value, fact))
  const unmatched = verdict === 'unknown' ? (known.matching?.unmatched(given) ?? beyond(limits)) : undefined
  const actual = unmatched === undefined ? found : `unknown: ${unmatched}`
  const trace: Trace =
    verdict === 'true'
      ? { condition: condition.fact, verdict, wanted, actual }
      : { condition: condition.fact, verdict, wanted, actual, unblock: fact.unblock(wanted, value.value) }
  if (operator.changesIn === undefined) return { trace, needs: nothing }
  const changesIn = operator.changesIn(given, condition.wanted)
  return { trace, needs: nothing, ...at(changesIn === undefined ? undefined : view.now + changesIn) }
}

const beyond = (limits: Limits | undefined) =>
  limits?.budget.isExceeded === true ? 'it was not matched, because the patterns before it took all that there is' : undefined

const nothing: SourceName[] = []

const at = (changesAt: number | undefined) => (changesAt === undefined || Number.isNaN(changesAt) ? {} : { changesAt })

/** When a whole may change: what is settled by some of its parts stays until the last of them has changed, anything else until the first. */
function changeOf(verdict: Verdict, settles: Verdict, children: readonly Judged[]): number | undefined {
  const settling = verdict === settles ? children.filter((child) => child.trace.verdict === settles) : []
  const changes = (settling.length > 0 ? settling : children).flatMap((child) => child.changesAt ?? [])
  if (settling.length > 0) return changes.length === settling.length ? Math.max(...changes) : undefined
  return changes.length === 0 ? undefined : Math.min(...changes)
}

const OPPOSITE: Record<Verdict, Verdict> = { true: 'false', false: 'true', unknown: 'unknown' }

function say(verdict: Verdict, children: readonly Judged[]): string {
  if (children.length === 0) return 'no condition'
  const holding = children.filter((child) => child.trace.verdict === 'true').length
  return verdict === 'unknown' ? 'not known' : `${holding} of ${children.length} hold`
}

function combine(condition: 'all' | 'any', children: readonly Judged[], goal: Goal): Judged {
  const [settles, otherwise]: [Verdict, Verdict] = condition === 'all' ? ['false', 'true'] : ['true', 'false']
  let verdict: Verdict = otherwise
  let timed = false
  // One that is unknown for good can no longer become true: whatever else is read, the whole cannot either.
  let lost = false
  for (const { trace, needs, changesAt } of children) {
    if (trace.verdict === settles) verdict = settles
    else if (trace.verdict === 'unknown') {
      if (verdict !== settles) verdict = 'unknown'
      if (condition === 'all' && goal === 'true' && needs.length === 0) lost = true
    }
    if (changesAt !== undefined) timed = true
  }
  const needs = verdict === 'unknown' && !lost ? [...new Set(children.flatMap((child) => child.needs))] : nothing
  const trace: Trace = {
    condition,
    verdict,
    wanted: condition === 'all' ? 'all of these' : 'any of these',
    actual: say(verdict, children),
    children: children.map((child) => child.trace),
  }
  return timed ? { trace, needs, ...at(changeOf(verdict, settles, children)) } : { trace, needs }
}

/** Around one other: the verdict of `not` and of a named condition. */
function around(condition: 'not' | { use: string }, { trace, ...rest }: Judged): Judged {
  const [verdict, wanted] = condition === 'not' ? [OPPOSITE[trace.verdict], 'not this'] : [trace.verdict, 'as defined']
  const name = condition === 'not' ? 'not' : condition.use
  return { trace: { condition: name, verdict, wanted, actual: `it is ${trace.verdict}`, children: [trace] }, ...rest }
}

/** Judges a whole by its parts. */
export function judgeWhole(condition: Exclude<Condition, { fact: string }>, parts: readonly Judged[], goal: Goal): Judged {
  if ('all' in condition) return combine('all', parts, goal)
  if ('any' in condition) return combine('any', parts, goal)
  return around('not' in condition ? 'not' : condition, parts[0] as Judged)
}

/** Judges one condition with all that is inside it. */
export function judge(condition: Condition, view: View, goal: Goal = 'true'): Judged {
  if ('fact' in condition) return judgeFact(leafOf(condition), view)
  const part = (each: Condition) => judge(each, view, 'not' in condition ? 'either' : goal)
  const parts =
    'all' in condition ? condition.all : 'any' in condition ? condition.any : ['not' in condition ? condition.not : condition.is]
  return judgeWhole(condition, parts.map(part), goal)
}
