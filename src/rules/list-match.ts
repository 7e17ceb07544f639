// Whether the values of a list fit what a rule names: one value at a time, and what costs more than a glance is answered once for all rules.
import {
  compileExpression,
  expressionMatcher,
  fitsPlain,
  type GlobKind,
  globMatcher,
  isOrdinary,
  LONGEST_GLOB,
  LONGEST_SEARCHED,
  type PlainGlob,
  plainGlob,
} from './patterns.ts'
import { keptWith } from './remembered.ts'
import type { Json, Verdict } from './types.ts'

type Matcher = (text: string) => Verdict

const verdict = (holds: boolean): Verdict => (holds ? 'true' : 'false')

/** A matcher for an item of a rule: a plain text, a glob, or `{ matches: expression }`. A text that is too long to search is unknown. */
export function itemMatcher(wanted: Json, kind: GlobKind): Matcher {
  if (typeof wanted === 'string') {
    const matches = globMatcher(wanted, kind)
    return (text) => (text.length > LONGEST_SEARCHED ? 'unknown' : verdict(matches(text)))
  }
  const source = typeof wanted === 'object' && wanted !== null && !Array.isArray(wanted) ? wanted.matches : undefined
  return typeof source === 'string' ? searching(expressionMatcher(source)) : () => 'unknown'
}

/** The same for an expression alone, kept by whoever keeps the matcher. */
export const expressionSearch = (source: string): Matcher => searching(compileExpression(source))

function searching(matches: (text: string) => boolean): Matcher {
  return (text) => (text.length > LONGEST_SEARCHED ? 'unknown' : verdict(matches(text)))
}

/** What is known about a list, which belongs to one reading of one merge request. */
interface Known {
  /** Every value is a text whose parts between slashes are ordinary. */
  ordinary: boolean
  /** Item → for each place in the list, as far as it was asked. */
  answers: Map<string, (Verdict | undefined)[]>
  /** How many plain globs were tried on each value. */
  tried: number
  /** What a plain glob may be about: the values themselves, the folders around them, their endings. Made where many globs are asked for. */
  index?: Partial<Record<PlainGlob['by'], ReadonlySet<string>>>
}

const knownOf = keptWith((values: readonly Json[]): Known => {
  const ordinary = values.every((each) => typeof each === 'string' && each.length <= LONGEST_SEARCHED && isOrdinary(each))
  return { ordinary, answers: new Map(), tried: 0 }
})

/** A short list is looked through sooner than an index is made. */
const WORTH_AN_INDEX = 8
/** An index costs about as much as so many looks through the whole list. */
const TRIED_WITHOUT_INDEX = 24

function indexOf(values: readonly string[]): NonNullable<Known['index']> {
  const [folder, ending] = [new Set<string>(), new Set<string>()]
  let last = ''
  for (const value of values) {
    const dot = value.lastIndexOf('.')
    if (dot >= 0) ending.add(value.slice(dot))
    // No glob names a longer folder. The folders around one that is there are there as well.
    let end = value.lastIndexOf('/', LONGEST_GLOB)
    // Most files lie beside the one before.
    if (end === last.length - 1 && value.startsWith(last)) continue
    last = value.slice(0, end + 1)
    for (; end >= 0; end = value.lastIndexOf('/', end - 1)) {
      const around = value.slice(0, end + 1)
      if (folder.has(around)) break
      folder.add(around)
      if (end === 0) break
    }
  }
  return { itself: new Set(values), folder, ending }
}

/** Whether some value of an ordinary list fits one of the globs. */
function someFits(globs: readonly PlainGlob[], values: readonly string[], about: Known): boolean {
  if (values.length >= WORTH_AN_INDEX && about.tried >= TRIED_WITHOUT_INDEX) about.index ??= indexOf(values)
  return globs.some((glob) => {
    const indexed = about.index?.[glob.by]
    if (indexed !== undefined) return indexed.has(glob.text)
    about.tried += 1
    return values.some((value) => fitsPlain(glob, value))
  })
}

export interface ListMatcher {
  /** Whether one of the values fits one of the items. */
  some(values: readonly Json[]): Verdict
  /** Whether each of the values fits one of the items; an empty list does. */
  every(values: readonly Json[]): Verdict
  /** Whether the text fits one of the items. */
  one(text: string): Verdict
}

/** Whether the values of a list fit the items that a rule names. */
export function listMatcher(wanted: Json, kind: GlobKind): ListMatcher {
  const items = (Array.isArray(wanted) ? wanted : [wanted]).map((item) => ({
    item,
    key: `${kind} ${typeof item === 'string' ? item : JSON.stringify(item)}`,
    plain: typeof item === 'string' ? plainGlob(item, kind) : undefined,
  }))
  const plain = items.flatMap((each) => each.plain ?? [])
  const allPlain = plain.length === items.length
  const fitsAt = (values: readonly Json[], about: Known): FitsAt =>
    anyOf(
      items.map(({ item, key, plain: glob }) =>
        // A list that is not ordinary may hold anything but texts.
        about.ordinary && glob !== undefined
          ? (index) => verdict(fitsPlain(glob, values[index] as string))
          : remembering(values, about, { item, key, kind }),
      ),
    )
  return {
    some(values) {
      const about = knownOf(values)
      if (about.ordinary && allPlain) return verdict(someFits(plain, values as readonly string[], about))
      return until('true', values.length, fitsAt(values, about))
    },
    every(values) {
      const about = knownOf(values)
      if (about.ordinary && allPlain)
        return verdict((values as readonly string[]).every((value) => plain.some((glob) => fitsPlain(glob, value))))
      return until('false', values.length, fitsAt(values, about))
    },
    one(text) {
      if (allPlain && text.length <= LONGEST_SEARCHED && isOrdinary(text)) return verdict(plain.some((glob) => fitsPlain(glob, text)))
      return anyOf(
        items.map(
          ({ item }) =>
            () =>
              itemMatcher(item, kind)(text),
        ),
      )(0)
    },
  }
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

function remembering(
  values: readonly Json[],
  { answers }: Known,
  { item, key, kind }: { item: Json; key: string; kind: GlobKind },
): FitsAt {
  const asked = answers.get(key) ?? []
  answers.set(key, asked)
  let matches: Matcher | undefined
  return (index) => {
    const before = asked[index]
    if (before !== undefined) return before
    const value = values[index]
    matches ??= itemMatcher(item, kind)
    const answer = typeof value === 'string' ? matches(value) : 'unknown'
    asked[index] = answer
    return answer
  }
}
