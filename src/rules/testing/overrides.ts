// Overrides, for `--what-if` and the dashboard, each in one line: `pipeline=success`, `labels+=ready`, `labels-=hold`,
// `now=2026-12-24T10:00Z`, `event=note.create by alice: @bellhop merge`.
import type { Fact } from '../facts/definition/fact.ts'
import { parseTime } from '../facts/definition/service-values.ts'
import { factNamed, facts } from '../facts/index.ts'
import { commandLines, commandsIn } from '../language/commands/comment-commands.ts'
import { eventKinds } from '../language/events.ts'
import { names } from '../language/operators/fact-types.ts'
import { operators } from '../language/operators/operators.ts'
import type { Json } from '../language/values/rule-types.ts'
import { type Issue, isMap, type Path, type Shape, shape } from '../language/values/shapes.ts'
import { show, suggest } from '../language/values/wording.ts'
import type { FactValue, Override } from '../types.ts'

/** An event that is written in one line. */
export interface OverrideEvent {
  kind: string
  by?: string
  comment?: string
}

type OverrideOrEvent = { override: Override } | { now: string } | { event: OverrideEvent } | { problem: string }

const kinds = eventKinds.filter((kind) => !kind.endsWith('*'))

const didYouMean = (name: string, known: readonly string[]) => {
  const near = suggest(name, known)
  return near === undefined ? '' : `; did you mean "${near}"?`
}

function readEvent(text: string): OverrideOrEvent {
  const [, kind = '', by, comment] = /^(\S+?)(?: +by +([^\s:]+))?(?: *: *(.*))?$/s.exec(text.trim()) ?? []
  if (!kinds.includes(kind))
    return {
      problem: `expected event=KIND [by USER][: COMMENT], where KIND is one of ${kinds.join(', ')}; found ${show(text)}${didYouMean(kind, kinds)}`,
    }
  if (comment !== undefined && !kind.startsWith('note.'))
    return { problem: `expected a comment only for a note, found one for ${kind}` }
  return { event: { kind, by, comment } }
}

function readFact(name: string, sign: string, text: string): OverrideOrEvent {
  const fact = factNamed(name)
  if (fact === undefined)
    return { problem: `there is no fact ${show(name)}${didYouMean(name, [...Object.keys(facts), 'now', 'event'])}` }
  if (fact.type.name === 'clock') return { problem: `the time is overridden with now=, found ${name}` }
  if (sign !== '=') {
    if (fact.type.name !== 'list')
      return { problem: `${sign} is for lists, and ${name} is none: expected ${name}=VALUE` }
    const entries = listIn(text)
    if (entries.length === 0) return { problem: `expected at least one entry behind ${name}${sign}` }
    return { override: sign === '+=' ? { fact: name, add: entries } : { fact: name, remove: entries } }
  }
  const issues: Issue[] = []
  const value = readValue(fact, plainValue(fact, text), [name], issues)
  const [issue] = issues
  if (value === undefined || issue !== undefined)
    return {
      problem: `${name}: expected ${issue?.expected ?? 'another value'}, or unknown, found ${show(text)}${issue?.near === undefined ? '' : `; did you mean ${issue.near}?`}`,
    }
  return {
    override: {
      fact: name,
      is: value.is === 'known' ? { ...value, remark: 'overridden' } : { ...value, reason: 'it is overridden' },
    },
  }
}

/** Reads one line; a problem is a sentence for people. */
export function readOverride(text: string): OverrideOrEvent {
  const [, name = '', sign = '', value = ''] = /^\s*([^=+\s-]+)\s*(\+=|-=|=)\s*(.*)$/s.exec(text) ?? []
  if (name === '')
    return { problem: `expected FACT=VALUE, FACT+=VALUE, FACT-=VALUE, now=TIME or event=KIND, found ${show(text)}` }
  if (name === 'now' && sign === '=') {
    const now = readMoment(value.trim())
    const problem = `expected now=a time with its zone, such as 2026-12-24T10:00Z, found ${show(value.trim())}`
    return now === undefined ? { problem } : { now }
  }
  if (name === 'event' && sign === '=') return readEvent(value)
  return readFact(name, sign, value.trim())
}

export interface Overrides {
  facts: Override[]
  /** ISO 8601. */
  now?: string
  events: OverrideEvent[]
}

/** Reads every line; a problem is a sentence for people, and names its line. */
export function readOverrides(
  texts: readonly string[],
): { ok: true; overrides: Overrides } | { ok: false; problems: string[] } {
  const problems: string[] = []
  const read: Overrides = { facts: [], events: [] }
  for (const text of texts) {
    const line = readOverride(text)
    if ('problem' in line) problems.push(`${JSON.stringify(text)}: ${line.problem}`)
    else if ('now' in line) read.now = line.now
    else if ('event' in line) read.events.push(line.event)
    else read.facts.push(line.override)
  }
  if (read.events.length > 1) problems.push('expected at most one event')
  return problems.length > 0 ? { ok: false, problems } : { ok: true, overrides: read }
}

/** The facts of a comment: its text, and its commands for the bot of that name. */
export const commentFacts = (text: string, bot: string) => ({
  comment: text,
  command: commandsIn(text, bot),
  command_line: commandLines(text, bot).join('\n'),
})

export const commentOverrides = (text: string, bot: string): Override[] =>
  Object.entries(commentFacts(text, bot)).map(([fact, value]) => ({
    fact,
    is: { ...knownValue(value), remark: 'overridden' },
  }))

export type OverrideValue = Exclude<FactValue, { is: 'unread' }>

export const knownValue = (value: Json) => ({ is: 'known', value, complete: true }) as const satisfies OverrideValue

const MOST = 5000

const list = shape('a list of texts', (value) => (names.check(value) && value.length <= MOST ? value : undefined))

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
function plainValue({ type }: Pick<Fact, 'type'>, text: string): Json {
  if (text === 'unknown') return text
  if (type.name === 'list') return listIn(text)
  if (type.name === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  if (type.name === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text)
  return type.nullable === true && text === 'null' ? null : text
}

/** `a,b`, with or without brackets. */
function listIn(text: string): string[] {
  return text
    .replace(/^\[(.*)\]$/s, '$1')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
}
