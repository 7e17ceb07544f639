// Whether the values of a list fit what a rule names: one value at a time, and what costs more than a glance is answered once for all rules.
import type { KnownList, PatternWork } from './pattern-work.ts'
import {
  BETWEEN,
  createExpression,
  expressionPattern,
  fitsPlain,
  type GlobKind,
  globPattern,
  isOrdinary,
  LONGEST_SEARCHED,
  ordinaryText,
  type Pattern,
  type PlainGlob,
  plainGlob,
  type TextsInAll,
} from './patterns.ts'
import { MOST_LISTS, remembered } from './remembered.ts'
import type { Json, Verdict } from './types.ts'

const verdict = (holds: boolean): Verdict => (holds ? 'true' : 'false')

/** A plain glob looks at so many characters of a list in the time of one step. */
const PLAIN_CHARACTERS_PER_STEP = 16

/** Whether texts fit what a rule names. */
export interface TextMatcher {
  /** A text that is too long to be matched is unknown. */
  one(text: string, work?: PatternWork): Verdict
  /** What that takes at most, in steps. */
  steps(text: string): number
  /** The same for all texts of a list. */
  stepsOfAll(texts: TextsInAll): number
  /** Why it is unknown; undefined where it is not. */
  unmatched(text: string): string | undefined
}

function patternOf(wanted: Json, kind: GlobKind): Pattern | undefined {
  if (typeof wanted === 'string') return globPattern(wanted, kind)
  const source = typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted) ? wanted.matches : undefined
  return typeof source === 'string' ? expressionPattern(source) : undefined
}

/** A matcher for an item of a rule: a plain text, a glob, or `{ matches: expression }`. */
export function itemMatcher(wanted: Json, kind: GlobKind): TextMatcher {
  const pattern = patternOf(wanted, kind)
  return pattern === undefined ? nothing : matcherOf(pattern)
}

const nothing: TextMatcher = {
  one: () => 'unknown',
  steps: () => 0,
  stepsOfAll: () => 0,
  unmatched: () => undefined,
}

/** The same for an expression alone, kept by whoever keeps the matcher. */
export const expressionSearch = (source: string): TextMatcher => matcherOf(createExpression(source))

function matcherOf(pattern: Pattern): TextMatcher {
  return {
    one(text, work) {
      if (pattern.unmatched(text) !== undefined) return 'unknown'
      return verdict(work === undefined ? pattern.matches(text) : matchOnce(pattern, text, work))
    },
    steps: pattern.steps,
    stepsOfAll: pattern.stepsOfAll,
    unmatched: pattern.unmatched,
  }
}

/** A text that was matched before the last turn ended is not matched again. */
function matchOnce(pattern: Pattern, text: string, work: PatternWork): boolean {
  const answers = work.texts.get(pattern) ?? new Map<string, boolean>()
  const before = answers.get(text)
  if (before !== undefined) return before
  work.spend(pattern.stepsToCompile() + pattern.steps(text))
  const found = pattern.matches(text)
  answers.set(text, found)
  work.texts.set(pattern, answers)
  return found
}

const knownNow = remembered(MOST_LISTS, (values: readonly Json[]): KnownList => {
  const texts = values.filter((value) => typeof value === 'string')
  const joined = ordinaryText(values)
  const [characters, longest] = texts.reduce(([sum, most], { length }) => [sum + length, Math.max(most, length)], [0, 0])
  return { text: joined, answers: new Map(), steps: new Map(), settled: new Map(), texts: { texts, characters, longest, joined } }
})

function knownOf(values: readonly Json[], work: PatternWork | undefined): KnownList {
  const before = work?.lists.get(values)
  if (before !== undefined) return before
  const known = knownNow(values)
  work?.lists.set(values, known)
  return known
}

/** Services list files in order, so that there is seldom anything to do. */
function inOrder(values: readonly string[]): readonly string[] {
  for (let at = 1; at < values.length; at++) if ((values[at] as string) < (values[at - 1] as string)) return [...values].sort()
  return values
}

/** The first that is not before the text: every one that begins with it stands there and behind. */
function firstFrom(ordered: readonly string[], text: string): string | undefined {
  let [from, to] = [0, ordered.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if ((ordered[middle] as string) < text) from = middle + 1
    else to = middle
  }
  return ordered[from]
}

/** Whether some value of an ordinary list fits. */
function someFits(glob: PlainGlob, values: readonly string[], about: KnownList): boolean {
  if (glob.by === 'ending') return about.text?.includes(glob.text + BETWEEN) === true
  about.inOrder ??= inOrder(values)
  const first = firstFrom(about.inOrder, glob.text)
  return first !== undefined && fitsPlain(glob, first)
}

export interface ListMatcher extends Pick<TextMatcher, 'one' | 'steps' | 'unmatched'> {
  /** Whether one of the values fits one of the items. */
  some(values: readonly Json[], work?: PatternWork): Verdict
  /** Whether each of the values fits one of the items; an empty list does. */
  every(values: readonly Json[], work?: PatternWork): Verdict
  /** What either takes at most, in steps. */
  stepsOfList(values: readonly Json[]): number
  /** Why one of the values is not matched; undefined where all are. */
  unmatchedIn(values: readonly Json[]): string | undefined
}

interface Item {
  key: string
  plain: PlainGlob | undefined
  /** Made when it is needed: most lists are ordinary, and most globs plain. */
  matcher(): TextMatcher
}

function itemsOf(wanted: Json, kind: GlobKind): Item[] {
  return (Array.isArray(wanted) ? wanted : [wanted]).map((item) => {
    let matcher: TextMatcher | undefined
    return {
      key: `${kind} ${typeof item === 'string' ? item : JSON.stringify(item)}`,
      plain: typeof item === 'string' ? plainGlob(item, kind) : undefined,
      matcher() {
        matcher ??= itemMatcher(item, kind)
        return matcher
      },
    }
  })
}

/** Whether the values of a list fit the items that a rule names. */
export function listMatcher(wanted: Json, kind: GlobKind): ListMatcher {
  const items = itemsOf(wanted, kind)
  const plain = items.flatMap((each) => each.plain ?? [])
  const allPlain = plain.length === items.length
  const fitsAt = (values: readonly Json[], about: KnownList, work: PatternWork | undefined): FitsAt =>
    anyOf(
      items.map((item) => {
        const { plain: glob } = item
        // A list that is not ordinary may hold anything but texts.
        return about.text !== undefined && glob !== undefined
          ? (index) => verdict(fitsPlain(glob, values[index] as string))
          : remembering(values, about, item, work)
      }),
    )
  /** What was answered before the last turn ended is not asked again. */
  const asked = (answer: (values: readonly Json[], about: KnownList, work: PatternWork | undefined) => Verdict) => {
    const question = {}
    return (values: readonly Json[], work?: PatternWork): Verdict => {
      const about = knownOf(values, work)
      const before = about.settled.get(question)
      if (before !== undefined) return before
      if (about.text !== undefined && work !== undefined) spendOnce(work, question, plain.length * stepsOfPlain(about.text))
      const found = answer(values, about, work)
      about.settled.set(question, found)
      return found
    }
  }
  const isPlain = (text: string) => allPlain && text.length <= LONGEST_SEARCHED && isOrdinary(text)
  return {
    some: asked((values, about, work) => {
      if (about.text === undefined || !allPlain) return until('true', values.length, fitsAt(values, about, work))
      return verdict(plain.some((glob) => someFits(glob, values as readonly string[], about)))
    }),
    every: asked((values, about, work) => {
      if (about.text === undefined || !allPlain) return until('false', values.length, fitsAt(values, about, work))
      return verdict((values as readonly string[]).every((value) => plain.some((glob) => fitsPlain(glob, value))))
    }),
    one(text, work) {
      if (isPlain(text)) return verdict(plain.some((glob) => fitsPlain(glob, text)))
      return anyOf(items.map((item) => () => item.matcher().one(text, work)))(0)
    },
    steps(text) {
      if (isPlain(text)) return items.length
      return items.reduce((sum, item) => sum + item.matcher().steps(text), 0)
    },
    stepsOfList(values) {
      const about = knownOf(values, undefined)
      return items.reduce((sum, item) => sum + stepsOfItem(item, about), 0)
    },
    unmatched: (text) => (isPlain(text) ? undefined : first(items, (item) => item.matcher().unmatched(text))),
    unmatchedIn(values) {
      if (allPlain && knownOf(values, undefined).text !== undefined) return undefined
      return first(knownOf(values, undefined).texts.texts, (text) => first(items, (item) => item.matcher().unmatched(text)))
    },
  }
}

/** What was spent before the last turn ended is not spent again: otherwise the part before a pause could take all of each turn. */
function spendOnce({ asked, spend }: PatternWork, question: object, steps: number): void {
  if (asked.has(question)) return
  spend(steps)
  asked.add(question)
}

const stepsOfPlain = (text: string) => 1 + text.length / PLAIN_CHARACTERS_PER_STEP

function stepsOfItem(item: Item, { text, texts, steps }: KnownList): number {
  if (text !== undefined && item.plain !== undefined) return stepsOfPlain(text)
  const before = steps.get(item.key)
  if (before !== undefined) return before
  const all = item.matcher().stepsOfAll(texts)
  steps.set(item.key, all)
  return all
}

function first<T>(all: readonly T[], tell: (each: T) => string | undefined): string | undefined {
  for (const each of all) {
    const told = tell(each)
    if (told !== undefined) return told
  }
  return undefined
}

type FitsAt = (index: number) => Verdict

/** What settles a list is one value; without it, one that is not known leaves the whole unknown. */
function until(settles: 'true' | 'false', length: number, fitsAt: FitsAt): Verdict {
  let found: Verdict = settles === 'true' ? 'false' : 'true'
  for (let index = 0; index < length; index++) {
    const each = fitsAt(index)
    if (each === settles) return settles
    if (each === 'unknown') found = 'unknown'
  }
  return found
}

function anyOf(answers: readonly FitsAt[]): FitsAt {
  return (index) => {
    let unknown = false
    for (const ask of answers) {
      const answer = ask(index)
      if (answer === 'true') return 'true'
      if (answer === 'unknown') unknown = true
    }
    return unknown ? 'unknown' : 'false'
  }
}

function remembering(values: readonly Json[], { answers }: KnownList, item: Item, work: PatternWork | undefined): FitsAt {
  const asked = answers.get(item.key) ?? []
  answers.set(item.key, asked)
  const matcher = item.matcher()
  return (index) => {
    const before = asked[index]
    if (before !== undefined) return before
    const value = values[index]
    const answer = typeof value === 'string' ? matcher.one(value, work) : 'unknown'
    asked[index] = answer
    return answer
  }
}
