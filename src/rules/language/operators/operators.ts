// The operators of conditions: what each expects, its wording, and its three-valued test.
import { formatDuration } from '../values/durations.ts'
import type { Json, Verdict } from '../values/rule-types.ts'
import { listOf, type Shape } from '../values/shapes.ts'
import { isWithin, nextChange, sayMoment, sayWindows, windows } from '../values/time-windows.ts'
import { either, show } from '../values/wording.ts'
import { type FactType, levelNumber, type TypeName } from './fact-types.ts'
import { createMatcher, type Matcher, verdict } from './list-match.ts'
import { expression, type GroupMembers, glob, item, membersOf, scalar } from './operator-shapes.ts'

/** A known value. `complete` is false for a list that was cut and for a count that is a lower bound. */
export interface Actual {
  value: Json
  complete: boolean
}

export interface Operator {
  doc: string
  for: readonly TypeName[]
  /** It names the value, or all values that fit. */
  exact?: true
  expressions?: true
  /** Only for facts whose texts are user names. */
  ofUsers?: true
  /** Further keys next to its own. No other operator may be next to it. */
  with?(type: FactType): Record<string, Shape>
  /** The sources that it reads in addition to the fact. */
  from?: readonly string[]
  /** It tests only the people that are members of this group. */
  among?(expected: Json): GroupMembers | undefined
  quantifier?: 'some' | 'every' | 'none'
  /** Written without its name: a bare value, or a list. */
  bare?: 'value' | 'list'
  expected(type: FactType): Shape
  say(expected: Json, type: FactType): string
  /** Tests a value. Made once per condition, called for each merge request. */
  test(expected: Json, type: FactType): (actual: Actual) => Verdict
  matcher?(expected: Json, type: FactType): Matcher
  /** Milliseconds after which the verdict may change without an event: at most the true time. Absent: it never does. */
  changesIn?(actual: Actual, expected: Json): number | undefined
}

const isEmpty = ({ value }: Actual) => !Array.isArray(value) || value.length === 0

const sayItem = (expected: Json): string =>
  typeof expected === 'object' && expected !== null && !Array.isArray(expected)
    ? `matching ${show(expected.matches)}`
    : show(expected)
const sayItems = (expected: Json): string => either((Array.isArray(expected) ? expected : [expected]).map(sayItem))

/** A value as it would be written in a rule; a time in the zone of what is expected. */
export function sayValue(value: Json, type: FactType, expected?: Json): string {
  if (type.name === 'clock' && typeof value === 'number') return sayMoment(value, expected)
  if (typeof value !== 'number' || (type.name !== 'duration' && type.name !== 'age')) return show(value)
  const calendar = type.name === 'age' ? 'calendar' : 'working'
  return formatDuration(value, calendar)
}

interface Comparison {
  doc: string
  words: string
  matches(actual: number, expected: number): boolean
  /** The verdict that a greater value cannot change. */
  grows: 'true' | 'false'
}

/** A lower bound of a count is enough if a greater count cannot change the verdict. */
function compare(actual: Actual, expected: Json, comparison: Comparison): Verdict {
  if (typeof actual.value !== 'number' || typeof expected !== 'number') return 'unknown'
  const result = verdict(comparison.matches(actual.value, expected))
  return actual.complete || result === comparison.grows ? result : 'unknown'
}

/** Levels compare by their numbers, even those without a name in this version. */
function compareLevels({ value }: Actual, expected: Json, comparison: Comparison): Verdict {
  const [actual, wanted] = [value, expected].map((each) => (typeof each === 'string' ? levelNumber(each) : undefined))
  return actual === undefined || wanted === undefined ? 'unknown' : verdict(comparison.matches(actual, wanted))
}

function comparison(types: readonly TypeName[], declared: Comparison): Operator {
  return {
    doc: declared.doc,
    for: types,
    expected: scalar,
    say: (expected, type) => `${declared.words} ${sayValue(expected, type)}`,
    test: (expected, { name }) => {
      const compared = name === 'level' ? compareLevels : compare
      return (actual) => compared(actual, expected, declared)
    },
  }
}

const ofText = (matcher: Matcher, { value }: Actual): Verdict =>
  typeof value === 'string' ? matcher.some(value) : 'false'

function matching(
  declared: Pick<Operator, 'doc' | 'for' | 'bare' | 'quantifier' | 'expected' | 'expressions'> & {
    words?: string
    items?(expected: Json): Json
    verdict(matcher: Matcher, actual: Actual): Verdict
  },
): Operator {
  const { words = '', items = (expected: Json) => expected, verdict: verdictOf, ...rest } = declared
  const matcherOf = (expected: Json, type: FactType) => createMatcher(items(expected), type.globs ?? 'name')
  return {
    ...rest,
    say: (expected) => `${words}${sayItems(items(expected))}`,
    test(expected, type) {
      const matcher = matcherOf(expected, type)
      return (actual) => verdictOf(matcher, actual)
    },
    matcher: matcherOf,
  }
}

/** Milliseconds until an age is `expected` seconds and `beyond` milliseconds; undefined if it is already. */
function reachedIn({ value }: Actual, expected: Json, beyond: number): number | undefined {
  if (typeof value !== 'number' || typeof expected !== 'number') return undefined
  const left = Math.round(expected * 1000) + beyond - Math.round(value * 1000)
  return left > 0 ? left : undefined
}

function equals({ value, complete }: Actual, expected: Json): Verdict {
  if (value === expected) return complete ? 'true' : 'unknown'
  if (complete || (typeof value === 'number' && typeof expected === 'number' && value > expected)) return 'false'
  return 'unknown'
}

const scalars: readonly TypeName[] = ['text', 'choice', 'level', 'boolean', 'integer', 'duration']
const amounts: readonly TypeName[] = ['integer', 'duration']

export const operators = {
  equals: {
    doc: 'A bare value: the fact is exactly this.',
    exact: true,
    for: scalars,
    bare: 'value',
    expected: scalar,
    say: (expected, type) => sayValue(expected, type),
    test: (expected) => (actual) => equals(actual, expected),
  },
  one_of: {
    doc: 'A list: the fact is one of these.',
    exact: true,
    for: ['text', 'choice', 'level', 'integer', 'duration'],
    bare: 'list',
    expected: (type) => listOf(scalar(type)),
    say: (expected, type) =>
      either((Array.isArray(expected) ? expected : [expected]).map((each) => sayValue(each, type))),
    test(expected) {
      const all = Array.isArray(expected) ? expected : [expected]
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
  matches: matching({
    doc: 'A regular expression (RE2 syntax) is found in it.',
    expressions: true,
    for: ['text'],
    expected: () => expression,
    items: (expected) => ({ matches: expected }),
    verdict: ofText,
  }),
  glob: matching({
    doc: 'A glob, or one of a list of them, fits the whole of it.',
    for: ['text'],
    expected: () => listOf(glob),
    verdict: ofText,
  }),
  any: matching({
    doc: 'At least one of the list fits one of these.',
    quantifier: 'some',
    for: ['list'],
    bare: 'list',
    expected: () => listOf(item),
    words: 'any of ',
    verdict(matcher, actual) {
      const some = matcher.some(actual.value)
      return some === 'false' && !actual.complete ? 'unknown' : some
    },
  }),
  all: matching({
    doc: 'Every one of the list fits one of these; an empty list does not.',
    quantifier: 'every',
    for: ['list'],
    expected: () => listOf(item),
    words: 'all of ',
    verdict(matcher, actual) {
      const every = matcher.every(actual.value)
      if (every === 'false') return 'false'
      // Fails closed: "only documentation changed" must not match a merge request whose changes are not there yet.
      return actual.complete ? (isEmpty(actual) ? 'false' : every) : 'unknown'
    },
  }),
  none: matching({
    doc: 'None of the list fits any of these; an empty list does.',
    quantifier: 'none',
    for: ['list'],
    expected: () => listOf(item),
    words: 'none of ',
    verdict(matcher, actual) {
      const some = matcher.some(actual.value)
      if (some === 'true') return 'false'
      return some === 'false' && actual.complete ? 'true' : 'unknown'
    },
  }),
  at_least: comparison([...amounts, 'level'], {
    doc: 'This much or more.',
    words: 'at least',
    matches: (a, b) => a >= b,
    grows: 'true',
  }),
  at_most: comparison([...amounts, 'level'], {
    doc: 'This much or less.',
    words: 'at most',
    matches: (a, b) => a <= b,
    grows: 'false',
  }),
  more_than: comparison(amounts, {
    doc: 'More than this.',
    words: 'more than',
    matches: (a, b) => a > b,
    grows: 'true',
  }),
  less_than: comparison(amounts, {
    doc: 'Less than this.',
    words: 'less than',
    matches: (a, b) => a < b,
    grows: 'false',
  }),
  members_of: membersOf,
  older_than: {
    ...comparison(['age'], {
      doc: 'Longer ago than this.',
      words: 'older than',
      matches: (a, b) => a > b,
      grows: 'true',
    }),
    changesIn: (actual, expected) => reachedIn(actual, expected, 1),
  },
  newer_than: {
    ...comparison(['age'], {
      doc: 'Less long ago than this.',
      words: 'newer than',
      matches: (a, b) => a < b,
      grows: 'false',
    }),
    changesIn: (actual, expected) => reachedIn(actual, expected, 0),
  },
  within: {
    doc: 'The time is in this window, or in one of a list of them: days, hours, first and last day, in a time zone (UTC where none is named).',
    for: ['clock'],
    expected: () => windows,
    say: sayWindows,
    test:
      (expected) =>
      ({ value }) =>
        typeof value === 'number' ? verdict(isWithin(expected, value)) : 'unknown',
    changesIn({ value }, expected) {
      const change = typeof value === 'number' ? nextChange(expected, value) : undefined
      return change === undefined || typeof value !== 'number' ? undefined : change - value
    },
  },
} as const satisfies Record<string, Operator>

/** The operator of that name, for names that come from outside. */
export function operatorNamed(name: string): Operator | undefined {
  return Object.hasOwn(operators, name) ? (operators as Record<string, Operator>)[name] : undefined
}

const isFor = ({ for: types, ofUsers }: Operator, { name, users }: FactType) =>
  types.includes(name) && (ofUsers !== true || users === true)

/** The operators that a type has, as a rule writes them. */
export function operatorsFor(type: FactType): string[] {
  return Object.entries<Operator>(operators).flatMap(([name, operator]) =>
    isFor(operator, type) && (operator.bare === undefined || type.name === 'list') ? [name] : [],
  )
}
