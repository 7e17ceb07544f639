// Formats values for people, and finds the known name that they probably meant.
import type { Json } from './rule-types.ts'

const LONGEST = 200

/** Cuts a text, but never a surrogate pair: databases and services refuse half of one. */
export function cut(text: string, longest = LONGEST): string {
  if (text.length <= longest) return text
  const splits = /[\uD800-\uDBFF]/.test(text.charAt(longest - 1))
  return `${text.slice(0, splits ? longest - 1 : longest)}…`
}

/** A text of others in one line without control characters, which ends somewhere. */
export const oneLine = (text: string, longest = 300): string =>
  cut(text.replaceAll(/[\s\p{C}]+/gu, ' ').trim(), longest)

/** A value in words: texts in quotes, lists with commas. */
export function show(value: Json | undefined): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'none'
  if (typeof value === 'string') return JSON.stringify(cut(value))
  if (!Array.isArray(value)) return cut(JSON.stringify(value))
  if (value.length === 0) return 'none'
  const shown = value.slice(0, 10).map(show).join(', ')
  return cut(value.length > 10 ? `${shown} and ${value.length - 10} more` : shown, 500)
}

/** `a`, `a or b`, `a, b or c`. */
export function either(values: readonly string[]): string {
  if (values.length < 2) return values.join('')
  return `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}

const FEW = 5

/** `one of a, b, c`; with `short`, a long list ends in the number of the others. */
export function oneOf(values: readonly string[], { short }: { short: boolean }): string {
  const rest = values.length - FEW
  return short && rest > 1
    ? `one of ${values.slice(0, FEW).join(', ')} and ${rest} more`
    : `one of ${values.join(', ')}`
}

/** `1 approval`, `2 approvals`. */
export function count(number: number, noun: string, nouns = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : nouns}`
}

/** The typing errors between two names: letters added, missing, replaced or swapped. */
function distance(left: string, right: string): number {
  let before: number[] = []
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index)
  for (let i = 1; i <= left.length; i++) {
    const current = [i]
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]
      const costs = [(previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1, (previous[j - 1] ?? 0) + same]
      current.push(Math.min(...costs, ...(swapped ? [(before[j - 2] ?? 0) + 1] : [])))
    }
    before = previous
    previous = current
  }
  return previous[right.length] ?? 0
}

/** Names with the words that other tools use for them. */
export type Synonyms = Readonly<Record<string, readonly string[]>>

/** The synonyms that registered entries declare. */
export function synonymsOf(entries: Readonly<Record<string, { synonyms?: readonly string[] }>>): Synonyms {
  return Object.fromEntries(Object.entries(entries).map(([name, { synonyms = [] }]) => [name, synonyms]))
}

const commonStart = (left: string, right: string) => {
  const end = [...left].findIndex((character, index) => character !== right[index])
  return end === -1 ? left.length : end
}

/** The name of `known` that has `name` as a synonym, or the nearest one that is near enough to be a typing error. */
export function suggest(name: string, known: readonly string[], synonyms: Synonyms = {}): string | undefined {
  // A long unknown name is no typing error, and the distance of two long names costs their product.
  if (name.length > 40) return undefined
  const written = name.toLowerCase().replaceAll('-', '_')
  const meant = known.find((each) => Object.hasOwn(synonyms, each) && synonyms[each]?.includes(written))
  if (meant !== undefined) return meant
  const nearEnough = (candidate: string) => Math.max(1, Math.floor(candidate.length / 3))
  const [best] = known
    // The distance is at least the difference in length.
    .filter((candidate) => Math.abs(candidate.length - written.length) <= nearEnough(candidate))
    .map((candidate) => ({ candidate, cost: distance(written, candidate.toLowerCase()) }))
    .filter(({ candidate, cost }) => cost <= nearEnough(candidate))
    .sort(
      (a, b) =>
        a.cost - b.cost ||
        commonStart(written, b.candidate) - commonStart(written, a.candidate) ||
        (a.candidate < b.candidate ? -1 : 1),
    )
  return best?.candidate
}
