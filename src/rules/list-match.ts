// Whether the values of a list fit what a rule names: one value at a time, and what costs more than a glance is answered once for all rules.
import {
  compileExpression,
  expressionMatcher,
  type GlobKind,
  globMatcher,
  isOrdinary,
  LONGEST_SEARCHED,
  ordinaryMatcher,
} from './patterns.ts'
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

/** The same for an expression alone; it is compiled when it is first needed, and kept by whoever keeps the matcher. */
export function expressionSearch(source: string): Matcher {
  let search: Matcher | undefined
  return (text) => {
    search ??= searching(compileExpression(source))
    return search(text)
  }
}

function searching(matches: (text: string) => boolean): Matcher {
  return (text) => (text.length > LONGEST_SEARCHED ? 'unknown' : verdict(matches(text)))
}

/** What is known about a list, which belongs to one reading of one merge request. */
interface Known {
  /** Every value is a text whose parts between slashes are ordinary. */
  ordinary: boolean
  /** Item → for each place in the list, as far as it was asked. */
  answers: Map<string, (Verdict | undefined)[]>
}
const known = new WeakMap<readonly Json[], Known>()

function knownOf(values: readonly Json[]): Known {
  const before = known.get(values)
  if (before !== undefined) return before
  const ordinary = values.every((each) => typeof each === 'string' && each.length <= LONGEST_SEARCHED && isOrdinary(each))
  const found: Known = { ordinary, answers: new Map() }
  known.set(values, found)
  return found
}

type FitsAt = (index: number) => Verdict

/** For each place in a list, whether its value fits one of the items. */
export function listMatcher(wanted: Json, kind: GlobKind): (values: readonly Json[]) => FitsAt {
  const items = (Array.isArray(wanted) ? wanted : [wanted]).map((item) => ({
    item,
    key: `${kind} ${typeof item === 'string' ? item : JSON.stringify(item)}`,
    quick: typeof item === 'string' ? ordinaryMatcher(item, kind) : undefined,
  }))
  const quick = items.flatMap((each) => each.quick ?? [])
  const [first] = quick
  const quickly = quick.length < items.length ? undefined : quick.length === 1 ? first : (text: string) => quick.some((each) => each(text))
  return (values) => {
    const about = knownOf(values)
    // A list that is not ordinary may hold anything but texts.
    if (about.ordinary && quickly !== undefined) return (index) => verdict(quickly(values[index] as string))
    return anyOf(
      items.map(({ item, key, quick: matches }) =>
        about.ordinary && matches !== undefined
          ? (index) => verdict(matches(values[index] as string))
          : remembering(values, about, { item, key, kind }),
      ),
    )
  }
}

/** The same for one list. */
export const fits = (values: readonly Json[], wanted: Json, kind: GlobKind): FitsAt => listMatcher(wanted, kind)(values)

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
