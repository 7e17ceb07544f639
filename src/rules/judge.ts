// Judges a condition against what is known: true, false or unknown, with the trace that explains it.
import type { Fact } from './fact.ts'
import { type Operator, operatorNamed, sayValue } from './operators.ts'
import type { Condition, FactValue, SourceName, Trace, Verdict } from './types.ts'
import { factNamed, type View } from './view.ts'
import { cut } from './wording.ts'

export interface Judged {
  trace: Trace
  /** The sources that could still change an unknown verdict; empty where it is unknown for good. */
  needs: SourceName[]
  /** Milliseconds since 1970: before this moment the verdict stays, if nothing happens. Absent: it always does. */
  changesAt?: number
}

/** `true`: it only matters whether it can become true, as in a rule's `if`. `either`: false matters too, as inside a `not`. */
type Goal = 'true' | 'either'

/** The same words for every rule that asks, said once: of a condition as long as it is in force, of a value as long as it is at hand. */
const wantedWords = new WeakMap<object, string>()
const actualWords = new WeakMap<object, string>()

function sayWanted(condition: Extract<Condition, { fact: string }>, operator: Operator, { type }: Fact): string {
  const words = wantedWords.get(condition) ?? operator.say(condition.wanted, type)
  wantedWords.set(condition, words)
  return words
}

function sayActual(value: Extract<FactValue, { is: 'known' }>, { type }: Fact): string {
  const before = actualWords.get(value)
  if (before !== undefined) return before
  const notes = [...(value.note === undefined ? [] : [value.note]), ...(value.complete ? [] : ['and more: the service cut it off'])]
  const words = cut(`${sayValue(value.value, type)}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`, 600)
  actualWords.set(value, words)
  return words
}

function judgeFact(condition: Extract<Condition, { fact: string }>, view: View): Judged {
  const value = view.fact(condition.fact)
  const fact = factNamed(condition.fact)
  const operator = operatorNamed(condition.operator)
  const base = { condition: condition.fact }
  if (fact === undefined || operator === undefined) {
    return {
      trace: { ...base, verdict: 'unknown', wanted: condition.operator, actual: 'unknown: this version does not know it' },
      needs: [],
    }
  }
  const wanted = sayWanted(condition, operator, fact)
  if (value.is === 'unread') {
    return {
      trace: { ...base, verdict: 'unknown', wanted, actual: 'not read', unblock: fact.unblock(wanted, undefined) },
      needs: [value.source],
    }
  }
  if (value.is === 'absent') {
    return {
      trace: { ...base, verdict: 'unknown', wanted, actual: `unknown: ${value.reason}`, unblock: fact.unblock(wanted, undefined) },
      needs: [],
    }
  }
  const given = { value: value.value, complete: value.complete, type: fact.type }
  const verdict = operator.holds(given, condition.wanted)
  const changesIn = operator.changesIn?.(given, condition.wanted)
  const actual = sayActual(value, fact)
  const unblock = verdict === 'true' ? {} : { unblock: fact.unblock(wanted, value.value) }
  return {
    trace: { ...base, verdict, wanted, actual, ...unblock },
    needs: [],
    ...at(changesIn === undefined ? undefined : view.now + changesIn),
  }
}

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
  const verdicts = children.map((child) => child.trace.verdict)
  const verdict: Verdict = verdicts.includes(settles) ? settles : verdicts.includes('unknown') ? 'unknown' : otherwise
  // One that is unknown for good can no longer become true: whatever else is read, the whole cannot either.
  const lost =
    condition === 'all' && goal === 'true' && children.some((child) => child.trace.verdict === 'unknown' && child.needs.length === 0)
  const needs = verdict === 'unknown' && !lost ? [...new Set(children.flatMap((child) => child.needs))] : []
  const trace: Trace = {
    condition,
    verdict,
    wanted: condition === 'all' ? 'all of these' : 'any of these',
    actual: say(verdict, children),
    children: children.map((child) => child.trace),
  }
  return { trace, needs, ...at(changeOf(verdict, settles, children)) }
}

/** Judges one condition with all that is inside it. */
export function judge(condition: Condition, view: View, goal: Goal = 'true'): Judged {
  if ('all' in condition)
    return combine(
      'all',
      condition.all.map((each) => judge(each, view, goal)),
      goal,
    )
  if ('any' in condition)
    return combine(
      'any',
      condition.any.map((each) => judge(each, view, goal)),
      goal,
    )
  if ('not' in condition) {
    const { trace, ...rest } = judge(condition.not, view, 'either')
    const verdict = OPPOSITE[trace.verdict]
    return { trace: { condition: 'not', verdict, wanted: 'not this', actual: `it is ${trace.verdict}`, children: [trace] }, ...rest }
  }
  if ('use' in condition) {
    const { trace, ...rest } = judge(condition.is, view, goal)
    const named: Trace = {
      condition: condition.use,
      verdict: trace.verdict,
      wanted: 'as defined',
      actual: `it is ${trace.verdict}`,
      children: [trace],
    }
    return { trace: named, ...rest }
  }
  return judgeFact(condition, view)
}
