// Whether the values of a list fit what a rule names: one value at a time, and each question about a list is answered once for all rules.
import { expressionMatcher, type GlobKind, globMatcher, LONGEST_SEARCHED } from './patterns.ts'
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
  if (typeof source !== 'string') return () => 'unknown'
  const matches = expressionMatcher(source)
  return (text) => (text.length > LONGEST_SEARCHED ? 'unknown' : verdict(matches(text)))
}

/** What was found out about a list: item → for each place in it, as far as it was asked. A list belongs to one reading of one merge request. */
const known = new WeakMap<readonly Json[], Map<string, (Verdict | undefined)[]>>()

/** For each place in the list, whether its value fits one of the items. */
export function fits(values: readonly Json[], wanted: Json, kind: GlobKind): (index: number) => Verdict {
  const items = Array.isArray(wanted) ? wanted : [wanted]
  const answers = items.map((item) => answersTo(values, item, kind))
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

function answersTo(values: readonly Json[], item: Json, kind: GlobKind): (index: number) => Verdict {
  const ofList = known.get(values) ?? new Map<string, (Verdict | undefined)[]>()
  known.set(values, ofList)
  const key = `${kind} ${typeof item === 'string' ? item : JSON.stringify(item)}`
  const asked = ofList.get(key) ?? []
  ofList.set(key, asked)
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
