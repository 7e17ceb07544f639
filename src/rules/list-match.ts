// Whether the values of a list fit what a rule names: one value at a time, and what costs more than a glance is answered once for all rules.
import {
  BETWEEN,
  compileExpression,
  expressionMatcher,
  fitsPlain,
  type GlobKind,
  globMatcher,
  isOrdinary,
  LONGEST_SEARCHED,
  ordinaryText,
  type PlainGlob,
  plainGlob,
} from './patterns.ts'
import { MOST_LISTS, remembered } from './remembered.ts'
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
  /** All of an ordinary list in one. */
  text: string | undefined
  /** An ordinary list in order, as soon as something is looked up in it. */
  inOrder?: readonly string[]
  /** Item → for each place in the list, as far as it was asked. */
  answers: Map<string, (Verdict | undefined)[]>
}

const knownOf = remembered(MOST_LISTS, (values: readonly Json[]): Known => ({ text: ordinaryText(values), answers: new Map() }))

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
function someFits(glob: PlainGlob, values: readonly string[], about: Known): boolean {
  if (glob.by === 'ending') return about.text?.includes(glob.text + BETWEEN) === true
  about.inOrder ??= inOrder(values)
  const first = firstFrom(about.inOrder, glob.text)
  return first !== undefined && fitsPlain(glob, first)
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
        about.text !== undefined && glob !== undefined
          ? (index) => verdict(fitsPlain(glob, values[index] as string))
          : remembering(values, about, { item, key, kind }),
      ),
    )
  return {
    some(values) {
      const about = knownOf(values)
      if (about.text !== undefined && allPlain) return verdict(plain.some((glob) => someFits(glob, values as readonly string[], about)))
      return until('true', values.length, fitsAt(values, about))
    },
    every(values) {
      const about = knownOf(values)
      if (about.text !== undefined && allPlain)
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
