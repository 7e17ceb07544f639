// Matches a text, or the texts of a list, against the plain texts, globs and expressions of a rule.
import { areOrdinary, expressionPattern, type GlobKind, globPattern, type Pattern } from '../patterns/patterns.ts'
import { oncePerObject } from '../values/fingerprint.ts'
import type { Json, Verdict } from '../values/rule-types.ts'
import { isMap } from '../values/shapes.ts'

/** How many characters a plain glob is compared with in the time of one step. */
const PLAIN_CHARACTERS_PER_STEP = 16

/** Matches the value of a fact. A text counts as a list of one. */
export interface Matcher {
  /** Whether one of the texts fits one of the items. A text that is too long is unknown. */
  some(value: Json): Verdict
  /** Whether each of the texts fits one of the items; an empty list does. */
  every(value: Json): Verdict
  /** The most steps that `some` or `every` takes. */
  steps(value: Json): number
  /** Why one of the texts cannot be matched; undefined if all can. */
  unmatched(value: Json): string | undefined
}

type List = ReturnType<typeof readList>

/** `isOrdinary`: plain globs can be compared with every text. */
function readList(values: readonly Json[]) {
  const texts = values.filter((each) => typeof each === 'string')
  const characters = texts.reduce((sum, { length }) => sum + length, 0)
  return { values, texts, characters, isOrdinary: areOrdinary(values) }
}

/** Many conditions test the same list. */
const listRead = oncePerObject(readList)

/** Stands for an item that no valid rule file has. */
const unreadable: Pattern = {
  steps: () => 0,
  unmatched: () => 'the pattern cannot be read',
  matches: () => false,
}

function patternOf(expected: Json, kind: GlobKind): Pattern {
  if (typeof expected === 'string') return globPattern(expected, kind)
  return isMap(expected) && typeof expected.matches === 'string' ? expressionPattern(expected.matches) : unreadable
}

/** A matcher for one item of a rule, or a list of them. */
export function createMatcher(expected: Json, kind: GlobKind): Matcher {
  const patterns = (Array.isArray(expected) ? expected : [expected]).map((each) => patternOf(each, kind))
  const plainGlobs = patterns.filter(({ plain }) => plain !== undefined)
  const stepsOfPlain = ({ isOrdinary, characters }: List) =>
    isOrdinary ? plainGlobs.length * (1 + characters / PLAIN_CHARACTERS_PER_STEP) : 0
  const textOf = (text: string): List => ({
    values: [text],
    texts: [text],
    characters: text.length,
    isOrdinary: plainGlobs.length > 0 && areOrdinary([text]),
  })
  const listOf = (value: Json): List =>
    typeof value === 'string' ? textOf(value) : Array.isArray(value) ? listRead(value) : readList([])
  const others = patterns.filter(({ plain }) => plain === undefined)
  const notPlain = ({ isOrdinary }: List) => (isOrdinary ? others : patterns)

  function verdictOf(text: Json, isOrdinary: boolean): Verdict {
    let found: Verdict = 'false'
    for (const pattern of patterns) {
      const isPlain = isOrdinary && pattern.plain !== undefined
      const each = isPlain ? verdict(pattern.plain?.(text as string) === true) : match(pattern, text)
      if (each === 'true') return each
      if (each === 'unknown') found = each
    }
    return found
  }

  /** One text with the deciding verdict is enough. Without it, one unknown text leaves the whole unknown. */
  function combine(deciding: 'true' | 'false', value: Json): Verdict {
    const list = listOf(value)
    let found: Verdict = deciding === 'true' ? 'false' : 'true'
    for (const text of list.values) {
      const each = verdictOf(text, list.isOrdinary)
      if (each === deciding) return deciding
      if (each === 'unknown') found = each
    }
    return found
  }

  return {
    some: (value) => combine('true', value),
    every: (value) => combine('false', value),
    steps(value) {
      const list = listOf(value)
      const stepsOf = (pattern: Pattern) => list.texts.reduce((sum, text) => sum + pattern.steps(text), 0)
      return notPlain(list).reduce((sum, pattern) => sum + stepsOf(pattern), stepsOfPlain(list))
    },
    unmatched(value) {
      const list = listOf(value)
      return list.texts
        .flatMap((text) => notPlain(list).map((pattern) => pattern.unmatched(text)))
        .find((reason) => reason !== undefined)
    },
  }
}

export const verdict = (fits: boolean): Verdict => (fits ? 'true' : 'false')

function match(pattern: Pattern, text: Json): Verdict {
  if (typeof text !== 'string' || pattern.unmatched(text) !== undefined) return 'unknown'
  return verdict(pattern.matches(text))
}
