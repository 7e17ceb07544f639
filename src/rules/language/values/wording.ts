// Formats values for people, in problems, traces and calls.
import type { Json } from './rule-types.ts'

const LONGEST = 200

/** Cuts a text, but never a surrogate pair: databases and services refuse half of one. */
export function cut(text: string, longest = LONGEST): string {
  if (text.length <= longest) return text
  const splits = /[\uD800-\uDBFF]/.test(text.charAt(longest - 1))
  return `${text.slice(0, splits ? longest - 1 : longest)}…`
}

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
