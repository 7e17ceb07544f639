// Matches a text, or the texts of a list, against the plain texts, globs and expressions that a rule names.
import type { PatternWork } from '../patterns/pattern-budget.ts'
import {
  expressionPattern,
  fitsPlain,
  type GlobKind,
  globPattern,
  ordinaryText,
  type Pattern,
  type PlainGlob,
  plainGlob,
  type TextsInAll,
} from '../patterns/patterns.ts'
import { memoize } from '../values/memoize.ts'
import type { Json, Verdict } from '../values/rule-types.ts'

/** A plain glob is compared with so many characters of a list in the time of one step. */
const PLAIN_CHARACTERS_PER_STEP = 16

/** How many values are cached: a few for each evaluation that is under way. */
const MOST_VALUES = 64

/** The value of a fact: a text is a list of one. */
export interface Matcher {
  /** Whether one of the texts fits one of the items. A text that is too long to be matched is unknown. */
  some(value: Json, work?: PatternWork): Verdict
  /** Whether each of the texts fits one of the items; an empty list does. */
  every(value: Json, work?: PatternWork): Verdict
  /** What either takes at most, in steps. */
  steps(value: Json): number
  /** Why one of the texts is not matched; undefined where all are. */
  unmatched(value: Json): string | undefined
}

interface Item {
  pattern: Pattern
  plain?: PlainGlob | undefined
}

/** For an item that no valid rule file has. */
const unreadable: Pattern = {
  steps: () => 0,
  stepsOfAll: () => 0,
  stepsToCompile: () => 0,
  unmatched: () => 'the pattern cannot be read',
  matches: () => false,
}

function itemOf(expected: Json, kind: GlobKind): Item {
  if (typeof expected === 'string') return { pattern: globPattern(expected, kind), plain: plainGlob(expected, kind) }
  const isMapping = typeof expected === 'object' && expected !== null && !Array.isArray(expected)
  const source = isMapping ? expected.matches : undefined
  return { pattern: typeof source === 'string' ? expressionPattern(source) : unreadable }
}

/** What every condition on a value needs; cached, because many conditions ask about the same list. */
const textsOf = memoize(MOST_VALUES, (value: string | readonly Json[]): TextsInAll & { values: readonly Json[] } => {
  const values = typeof value === 'string' ? [value] : value
  const texts = values.filter((each) => typeof each === 'string')
  const lengths = texts.map(({ length }) => length)
  const characters = lengths.reduce((sum, each) => sum + each, 0)
  return { values, texts, characters, longest: Math.max(0, ...lengths), joined: ordinaryText(values) }
})

const listOf = (value: Json) => textsOf(typeof value === 'string' || Array.isArray(value) ? value : [])

/** A matcher for one item of a rule, or a list of them. */
export function createMatcher(expected: Json, kind: GlobKind): Matcher {
  const items = (Array.isArray(expected) ? expected : [expected]).map((each) => itemOf(each, kind))
  const plainGlobs = items.flatMap(({ plain }) => plain ?? [])
  const fitsSome = (text: string) => plainGlobs.some((glob) => fitsPlain(glob, text))

  function fits(text: Json, isOrdinary: boolean, work: PatternWork | undefined): Verdict {
    let found: Verdict = 'false'
    for (const { pattern, plain } of items) {
      // Only an ordinary list holds nothing but ordinary texts.
      const each =
        isOrdinary && plain !== undefined ? verdict(fitsPlain(plain, text as string)) : match(pattern, text, work)
      if (each === 'true') return each
      if (each === 'unknown') found = each
    }
    return found
  }

  /** One text that settles the question is enough; without it, one that is unknown leaves the whole unknown. */
  function question(settles: 'true' | 'false') {
    const key = {}
    return (value: Json, work?: PatternWork): Verdict => {
      const before = work?.answers.get(key)?.get(value)
      if (before !== undefined) return before
      const { values, texts, characters, joined } = listOf(value)
      if (joined !== undefined && plainGlobs.length > 0)
        work?.spendOnce(key, plainGlobs.length * stepsOfPlain(characters))
      // Most rules name plain globs, and most lists are ordinary.
      if (joined !== undefined && plainGlobs.length === items.length)
        return verdict(settles === 'true' ? texts.some(fitsSome) : texts.every(fitsSome))
      let found: Verdict = settles === 'true' ? 'false' : 'true'
      for (const each of values) {
        const fitting = fits(each, joined !== undefined, work)
        if (fitting === 'unknown') found = fitting
        if (fitting !== settles) continue
        found = fitting
        break
      }
      return work?.remember(key, value, found) ?? found
    }
  }

  return {
    some: question('true'),
    every: question('false'),
    steps(value) {
      const list = listOf(value)
      const stepsOf = ({ pattern, plain }: Item) =>
        list.joined !== undefined && plain !== undefined ? stepsOfPlain(list.characters) : pattern.stepsOfAll(list)
      return items.reduce((sum, item) => sum + stepsOf(item), 0)
    },
    unmatched(value) {
      const { texts, joined } = listOf(value)
      const matched = joined === undefined ? items : items.filter(({ plain }) => plain === undefined)
      for (const text of texts)
        for (const { pattern } of matched) {
          const reason = pattern.unmatched(text)
          if (reason !== undefined) return reason
        }
      return undefined
    },
  }
}

const verdict = (fits: boolean): Verdict => (fits ? 'true' : 'false')

const stepsOfPlain = (characters: number) => 1 + characters / PLAIN_CHARACTERS_PER_STEP

/** A text that was matched before the last pause is not matched again. */
function match(pattern: Pattern, text: Json, work: PatternWork | undefined): Verdict {
  if (typeof text !== 'string' || pattern.unmatched(text) !== undefined) return 'unknown'
  if (work === undefined) return verdict(pattern.matches(text))
  const before = work.answers.get(pattern)?.get(text)
  if (before !== undefined) return before
  work.spend(pattern.stepsToCompile() + pattern.steps(text))
  return work.remember(pattern, text, verdict(pattern.matches(text)))
}
