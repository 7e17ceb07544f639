// The operators of conditions: each is one entry with its words, what it takes, and when it holds (three-valued).
import { isWithin, nextChange, sayWindows, windows } from './clock.ts'
import { formatDuration } from './durations.ts'
import type { FactType, TypeName } from './fact-types.ts'
import { expressionSearch, type ListMatcher, listMatcher, type TextMatcher } from './list-match.ts'
import { expression, glob, item, scalar } from './operator-shapes.ts'
import type { PatternWork } from './pattern-work.ts'
import { listOf, type Shape } from './shapes.ts'
import type { Json, Verdict } from './types.ts'
import { either, show } from './wording.ts'

/** A known value as an operator gets it. `complete` is false for a list that was cut and for a count that is a lower bound. */
export interface Actual {
  value: Json
  complete: boolean
  type: FactType
  /** Where matching is to take turns with other work. */
  work?: PatternWork | undefined
}

/** What is told of matching a value, before it is matched. */
export interface Matching {
  /** What it takes at most, in steps. */
  steps(actual: Actual): number
  /** Why it is unknown though the fact is known; undefined where it is not. */
  unmatched(actual: Actual): string | undefined
}

export interface Operator {
  doc: string
  for: readonly TypeName[]
  /** Written without its name: a bare value, or a list. */
  bare?: 'value' | 'list'
  wanted(type: FactType): Shape
  say(wanted: Json, type: FactType): string
  /** Whether it holds of a value: made once for what a rule wants, asked for each merge request. */
  test(wanted: Json, type: FactType): (actual: Actual) => Verdict
  /** Of an operator that matches patterns: what that takes. */
  matching?(wanted: Json, type: FactType): Matching
  /** Milliseconds after which that may be another though nothing happens: never too many. Absent: it never is. */
  changesIn?(actual: Actual, wanted: Json): number | undefined
}

/** The last one that a date can say. */
const LAST_MOMENT = 8.64e15

const verdict = (holds: boolean): Verdict => (holds ? 'true' : 'false')

const listOfValues = ({ value }: Actual): readonly Json[] => (Array.isArray(value) ? value : [])

const sayItem = (wanted: Json): string =>
  typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted) ? `matching ${show(wanted.matches)}` : show(wanted)
const sayItems = (wanted: Json): string => either((Array.isArray(wanted) ? wanted : [wanted]).map(sayItem))

/** `Sun, 11 Jan 2026 00:00:00 GMT` */
const sayMoment = (value: number) => (Math.abs(value) <= LAST_MOMENT ? new Date(value).toUTCString() : 'no time')

/** A value as it would be written in a rule. */
export function sayValue(value: Json, type: FactType): string {
  if (type.name === 'clock' && typeof value === 'number') return sayMoment(value)
  if (typeof value !== 'number' || (type.name !== 'duration' && type.name !== 'age')) return show(value)
  const calendar = type.name === 'age' ? 'calendar' : 'working'
  return formatDuration(value, calendar)
}

interface Comparison {
  doc: string
  words: string
  holds(actual: number, wanted: number): boolean
  /** Where more can only keep it true (at least) or only keep it false (at most). */
  grows: 'true' | 'false'
}

/** A count that is only a lower bound settles what more cannot change. */
function compare(actual: Actual, wanted: Json, comparison: Comparison): Verdict {
  if (actual.type.name === 'level') return compareLevels(actual, wanted, comparison)
  if (typeof actual.value !== 'number' || typeof wanted !== 'number') return 'unknown'
  const result = verdict(comparison.holds(actual.value, wanted))
  return actual.complete || result === comparison.grows ? result : 'unknown'
}

/** Levels compare by their place; one that this version does not know is not compared. */
function compareLevels({ value, type }: Actual, wanted: Json, comparison: Comparison): Verdict {
  const place = (word: Json): number => (typeof word === 'string' ? (type.values?.indexOf(word) ?? -1) : -1)
  return place(value) < 0 || place(wanted) < 0 ? 'unknown' : verdict(comparison.holds(place(value), place(wanted)))
}

function comparison(types: readonly TypeName[], declared: Comparison): Operator {
  return {
    doc: declared.doc,
    for: types,
    wanted: scalar,
    say: (wanted, type) => `${declared.words} ${sayValue(wanted, type)}`,
    test: (wanted) => (actual) => compare(actual, wanted, declared),
  }
}

function matchingText({ steps, unmatched }: Pick<TextMatcher, 'steps' | 'unmatched'>): Matching {
  return {
    steps: ({ value }) => (typeof value === 'string' ? steps(value) : 0),
    unmatched: ({ value }) => (typeof value === 'string' ? unmatched(value) : undefined),
  }
}

function matchingList({ stepsOfList, unmatchedIn }: ListMatcher): Matching {
  return { steps: (actual) => stepsOfList(listOfValues(actual)), unmatched: (actual) => unmatchedIn(listOfValues(actual)) }
}

const globsOf = (wanted: Json, type: FactType) => listMatcher(wanted, type.globs ?? 'name')

/** Milliseconds until an age is `wanted` seconds and `beyond` milliseconds; undefined where it is. */
function reachedIn({ value }: Actual, wanted: Json, beyond: number): number | undefined {
  if (typeof value !== 'number' || typeof wanted !== 'number') return undefined
  const left = Math.round(wanted * 1000) + beyond - Math.round(value * 1000)
  return left > 0 ? left : undefined
}

function equals({ value, complete }: Actual, wanted: Json): Verdict {
  if (value === wanted) return complete ? 'true' : 'unknown'
  if (complete || (typeof value === 'number' && typeof wanted === 'number' && value > wanted)) return 'false'
  return 'unknown'
}

const scalars: readonly TypeName[] = ['text', 'choice', 'level', 'boolean', 'integer', 'duration']
const amounts: readonly TypeName[] = ['integer', 'duration']

export const operators = {
  equals: {
    doc: 'A bare value: the fact is exactly this.',
    for: scalars,
    bare: 'value',
    wanted: scalar,
    say: (wanted, type) => sayValue(wanted, type),
    test: (wanted) => (actual) => equals(actual, wanted),
  },
  one_of: {
    doc: 'A list: the fact is one of these.',
    for: ['text', 'choice', 'level', 'integer', 'duration'],
    bare: 'list',
    wanted: (type) => listOf(scalar(type)),
    say: (wanted, type) => either((Array.isArray(wanted) ? wanted : [wanted]).map((each) => sayValue(each, type))),
    test(wanted) {
      const all = Array.isArray(wanted) ? wanted : [wanted]
      return (actual) => {
        let found: Verdict = 'false'
        for (const each of all) {
          const is = equals(actual, each)
          if (is === 'true') return is
          if (is === 'unknown') found = is
        }
        return found
      }
    },
  },
  matches: {
    doc: 'A regular expression (RE2 syntax) is found in it.',
    for: ['text'],
    wanted: () => expression,
    say: (wanted) => `matching ${show(wanted)}`,
    test(wanted) {
      const search = expressionSearch(String(wanted))
      return ({ value, work }) => (typeof value === 'string' ? search.one(value, work) : 'false')
    },
    matching: (wanted) => matchingText(expressionSearch(String(wanted))),
  },
  glob: {
    doc: 'A glob, or one of a list of them, fits the whole of it.',
    for: ['text'],
    wanted: () => listOf(glob),
    say: (wanted) => sayItems(wanted),
    test(wanted, type) {
      const matcher = globsOf(wanted, type)
      return ({ value, work }) => (typeof value === 'string' ? matcher.one(value, work) : 'false')
    },
    matching: (wanted, type) => matchingText(globsOf(wanted, type)),
  },
  any: {
    doc: 'At least one of the list fits one of these.',
    for: ['list'],
    bare: 'list',
    wanted: () => listOf(item),
    say: (wanted) => `any of ${sayItems(wanted)}`,
    test(wanted, type) {
      const matcher = globsOf(wanted, type)
      return (actual) => {
        const some = matcher.some(listOfValues(actual), actual.work)
        return some === 'false' && !actual.complete ? 'unknown' : some
      }
    },
    matching: (wanted, type) => matchingList(globsOf(wanted, type)),
  },
  all: {
    doc: 'Every one of the list fits one of these; an empty list does not.',
    for: ['list'],
    wanted: () => listOf(item),
    say: (wanted) => `all of ${sayItems(wanted)}`,
    test(wanted, type) {
      const matcher = globsOf(wanted, type)
      return (actual) => {
        const values = listOfValues(actual)
        const every = matcher.every(values, actual.work)
        if (every === 'false') return 'false'
        // Fails closed: "only documentation changed" must not hold for a merge request whose changes are not there yet.
        return actual.complete ? (values.length === 0 ? 'false' : every) : 'unknown'
      }
    },
    matching: (wanted, type) => matchingList(globsOf(wanted, type)),
  },
  none: {
    doc: 'None of the list fits any of these; an empty list does.',
    for: ['list'],
    wanted: () => listOf(item),
    say: (wanted) => `none of ${sayItems(wanted)}`,
    test(wanted, type) {
      const matcher = globsOf(wanted, type)
      return (actual) => {
        const some = matcher.some(listOfValues(actual), actual.work)
        if (some === 'true') return 'false'
        return some === 'false' && actual.complete ? 'true' : 'unknown'
      }
    },
    matching: (wanted, type) => matchingList(globsOf(wanted, type)),
  },
  at_least: comparison([...amounts, 'level'], { doc: 'This much or more.', words: 'at least', holds: (a, b) => a >= b, grows: 'true' }),
  at_most: comparison([...amounts, 'level'], { doc: 'This much or less.', words: 'at most', holds: (a, b) => a <= b, grows: 'false' }),
  more_than: comparison(amounts, { doc: 'More than this.', words: 'more than', holds: (a, b) => a > b, grows: 'true' }),
  less_than: comparison(amounts, { doc: 'Less than this.', words: 'less than', holds: (a, b) => a < b, grows: 'false' }),
  older_than: {
    ...comparison(['age'], { doc: 'Longer ago than this.', words: 'older than', holds: (a, b) => a > b, grows: 'true' }),
    changesIn: (actual, wanted) => reachedIn(actual, wanted, 1),
  },
  newer_than: {
    ...comparison(['age'], { doc: 'Less long ago than this.', words: 'newer than', holds: (a, b) => a < b, grows: 'false' }),
    changesIn: (actual, wanted) => reachedIn(actual, wanted, 0),
  },
  within: {
    doc: 'The time is in this window, or in one of a list of them: days, hours, first and last day, in a time zone (UTC where none is named).',
    for: ['clock'],
    wanted: () => windows,
    say: sayWindows,
    test:
      (wanted) =>
      ({ value }) =>
        typeof value === 'number' ? verdict(isWithin(wanted, value)) : 'unknown',
    changesIn({ value }, wanted) {
      const change = typeof value === 'number' ? nextChange(wanted, value) : undefined
      return change === undefined || typeof value !== 'number' ? undefined : change - value
    },
  },
} as const satisfies Record<string, Operator>

export type OperatorName = keyof typeof operators

/** The operator of that name, for names that come from outside. */
export function operatorNamed(name: string): Operator | undefined {
  return Object.hasOwn(operators, name) ? (operators as Record<string, Operator>)[name] : undefined
}

/** Whether it holds of a value, asked once. */
export const holds = (operator: Operator, actual: Actual, wanted: Json): Verdict => operator.test(wanted, actual.type)(actual)

/** The operators that a type has, as a rule writes them. */
export function operatorsFor(type: FactType): string[] {
  return Object.entries<Operator>(operators).flatMap(([name, operator]) =>
    operator.for.includes(type.name) && (operator.bare === undefined || type.name === 'list') ? [name] : [],
  )
}
