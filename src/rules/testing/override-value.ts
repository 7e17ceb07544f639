// The value of a fact as a person writes it, in YAML or in one line: as rules compare it, not as a service sends it.
import type { Fact } from '../facts/definition/fact.ts'
import { parseTime } from '../facts/definition/parse-time.ts'
import { operators } from '../language/operators/operators.ts'
import type { Json } from '../language/values/rule-types.ts'
import { type Issue, isMap, type Path, type Shape, shape } from '../language/values/shapes.ts'
import type { FactValue } from '../types.ts'

export type OverrideValue = Exclude<FactValue, { is: 'unread' }>

export const knownValue = (value: Json): OverrideValue => ({ is: 'known', value, complete: true })

const MOST = 5000

const isList = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length <= MOST && value.every((each) => typeof each === 'string')
const list = shape('a list of texts', (value) => (isList(value) ? value : undefined))

/** A moment, to the minute or finer, always with its zone: `2026-12-24T10:00Z`. ISO 8601 in UTC, or undefined. */
export function readMoment(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const time = parseTime(text.replace(/^(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2})(?=Z|[+-])/, '$1:00'))
  return time === undefined ? undefined : new Date(time).toISOString()
}

const moment = shape('a time with its zone, such as 2026-12-24T10:00Z', (value) => {
  const iso = readMoment(value)
  return iso === undefined ? undefined : Date.parse(iso)
})

function shapeOf({ type }: Pick<Fact, 'type'>): Shape {
  if (type.name === 'list') return list
  return type.name === 'clock' ? moment : operators.equals.expected(type)
}

/** Whether it is a list or a count that the service cut: `{ value: [src/a.ts], complete: false }`. */
function isCut(value: unknown): value is { value: unknown; complete: false } {
  return isMap(value) && Object.keys(value).sort().join() === 'complete,value' && value.complete === false
}

/** A fact's value; `unknown` is a value that the service does not say. Undefined after adding an issue. */
export function readValue(
  fact: Pick<Fact, 'type'>,
  value: unknown,
  path: Path,
  issues: Issue[],
): OverrideValue | undefined {
  if (value === 'unknown') return { is: 'absent', reason: 'it is said to be unknown' }
  const whole = !isCut(value)
  const read = whole
    ? shapeOf(fact).read(value, path, issues)
    : shapeOf(fact).read(value.value, [...path, 'value'], issues)
  return read === undefined ? undefined : { is: 'known', value: read, complete: whole }
}

/** A value from one line of text: `true`, `3`, `a,b`, `null`. The fact determines its type. */
export function plainValue({ type }: Pick<Fact, 'type'>, text: string): Json {
  if (text === 'unknown') return text
  if (type.name === 'list') return listIn(text)
  if (type.name === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (type.name === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text)
  return type.nullable === true && text === 'null' ? null : text
}

/** `a,b`, with or without brackets. */
export function listIn(text: string): string[] {
  return text
    .replace(/^\[(.*)\]$/s, '$1')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}
