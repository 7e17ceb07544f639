// Reads an `if` from plain values: facts, operators, combinators and named conditions.

import { type Fact, widenedName } from '../facts/definition/fact.ts'
import { factNamed, facts } from '../facts/index.ts'
import type { FactType } from './operators/fact-types.ts'
import { refuseImpossibleTexts } from './operators/impossible-texts.ts'
import { operatorNamed, operators, operatorsFor } from './operators/operators.ts'
import type { Condition, Json } from './values/rule-types.ts'
import {
  choice,
  fields,
  type Issue,
  isMap,
  listOf,
  MOST_ISSUES,
  type Path,
  refuse,
  refuseOtherKeys,
  text,
} from './values/shapes.ts'
import { either, synonymsOf } from './values/wording.ts'

export const MOST_CONDITIONS = 500
const COMBINATORS = ['all', 'any', 'not', 'use']

export type FactCondition = Extract<Condition, { fact: string }>

/** The conditions of `defs:` by name. */
export type Definitions = ReadonlyMap<string, Condition>

/** The facts that conditions write as a key of this one, by that key. */
const writtenIn = (fact: string): ReadonlyMap<string, string> =>
  new Map(
    Object.entries<Fact>(facts as Record<string, Fact>).flatMap(([name, { writtenAs }]) =>
      writtenAs?.fact === fact ? [[writtenAs.key, name] as const] : [],
    ),
  )

/** The words that are no facts, but hold some: `since: { pushed: … }`. Each with the names of its facts. */
export function factHolders(): Record<string, string[]> {
  const holders: Record<string, string[]> = {}
  for (const [name, { writtenAs }] of Object.entries<Fact>(facts as Record<string, Fact>)) {
    const holder = writtenAs?.fact
    if (holder !== undefined && !Object.hasOwn(facts, holder)) holders[holder] = [...(holders[holder] ?? []), name]
  }
  return holders
}

/** The value of a word that lets more count. */
export const counts = choice(['counts'])

/** The name of a label. */
export const labelName = text(255, 'the name of a label')

/** The operator of a value without one. */
export function bareOperator(type: FactType, value?: unknown) {
  if (type.name === 'list') return 'any'
  if (type.name === 'clock') return 'within'
  return Array.isArray(value) ? 'one_of' : 'equals'
}

function expectedOf(type: FactType, further: Iterable<string>): string {
  const named = [...operatorsFor(type), 'not', ...further]
  const bare = type.name === 'age' ? '' : `${operators[bareOperator(type)].expected(type).expected}, or `
  return `${bare}a mapping with ${named.join(', ')}`
}

/** The condition that all of these are true. */
export function joined(conditions: Condition[]): Condition {
  const [first] = conditions
  return conditions.length === 1 && first !== undefined ? first : { all: conditions }
}

function readWithKeys(
  fact: string,
  name: string,
  value: Record<string, unknown>,
  { path, issues }: { path: Path; issues: Issue[] },
): Condition[] {
  const [type, operator] = [factNamed(fact)?.type, operatorNamed(name)]
  if (type === undefined || operator === undefined) return []
  const shape = fields({ [name]: operator.expected(type), ...operator.with?.(type) }, [name])
  const expected = shape.read(value, path, issues) as Json | undefined
  return expected === undefined ? [] : [{ fact, operator: name, expected }]
}

/** Reads the facts inside a word that is none. */
function readHolder(word: string, value: unknown, path: Path, issues: Issue[]): Condition[] {
  const held = writtenIn(word)
  const keys = [...held.keys()]
  if (!isMap(value) || Object.keys(value).length === 0)
    return refuse(issues, { path, expected: `a mapping with ${keys.join(', ')}` }) ?? []
  refuseOtherKeys(value, keys, path, issues)
  return Object.keys(value).flatMap((key) => readFact(held.get(key) ?? '', value[key], [...path, key], issues))
}

/** Reads the label next to the operators of a fact. */
function readOfLabel(fact: string, value: unknown, path: Path, issues: Issue[]): Condition[] {
  const type = factNamed(fact)?.type
  if (!isMap(value) || !Object.hasOwn(value, 'label') || Object.keys(value).length < 2)
    return refuse(issues, { path, expected: `a mapping with label and ${type && either(operatorsFor(type))}` }) ?? []
  const { label, ...operators } = value
  const name = labelName.read(label, [...path, 'label'], issues)
  return name === undefined ? [] : readFact(`${fact} ${name}`, operators, path, issues)
}

/** Reads the words next to the operators of a fact that let more of it count. */
function readWidened(
  fact: string,
  words: readonly string[],
  { ...value }: Record<string, unknown>,
  { path, issues }: { path: Path; issues: Issue[] },
): Condition[] {
  for (const word of words) {
    counts.read(value[word], [...path, word], issues)
    delete value[word]
  }
  if (Object.keys(value).length > 0) return readFact(widenedName(fact, words), value, path, issues)
  const type = factNamed(fact)?.type
  return refuse(issues, { path, expected: `${either(words)} next to ${type && either(operatorsFor(type))}` }) ?? []
}

function readFact(fact: string, value: unknown, path: Path, issues: Issue[]): Condition[] {
  const declared = factNamed(fact)
  if (declared === undefined) return []
  if (declared.ofLabel !== undefined) return readOfLabel(fact, value, path, issues)
  const { type, widened } = declared
  const words = widened?.words.filter((word) => isMap(value) && Object.hasOwn(value, word)) ?? []
  if (isMap(value) && words.length > 0) return readWidened(fact, words, value, { path, issues })
  const further = writtenIn(fact)
  const readOperator = (name: string, inner: unknown, at: Path): Condition[] => {
    if (name === 'not') return readFact(fact, inner, at, issues).map((condition) => ({ not: condition }))
    const other = further.get(name)
    if (other !== undefined) return readFact(other, inner, at, issues)
    const operator = operatorNamed(name)
    const expected: Json | undefined = operator?.expected(type).read(inner, at, issues)
    if (operator === undefined || expected === undefined) return []
    if (operator.expressions !== true)
      refuseImpossibleTexts(declared, inner, { path: at, exact: operator.exact === true, issues })
    return [{ fact, operator: name, expected }]
  }
  const isWindow =
    type.name === 'clock' && isMap(value) && !Object.keys(value).some((key) => key === 'not' || key === 'within')
  if (isMap(value) && !isWindow) {
    const allowed = [...operatorsFor(type), 'not', ...further.keys(), ...(widened?.words ?? [])]
    const alone = operatorsFor(type).find(
      (name) => Object.hasOwn(value, name) && operatorNamed(name)?.with !== undefined,
    )
    if (alone !== undefined) return readWithKeys(fact, alone, value, { path, issues })
    refuseOtherKeys(value, allowed, path, issues)
    const keys = Object.keys(value).filter((key) => allowed.includes(key))
    if (Object.keys(value).length === 0)
      issues.push({ path, expected: expectedOf(type, further.keys()), found: 'an empty mapping' })
    const conditions = keys.flatMap((key) => readOperator(key, value[key], [...path, key]))
    return conditions.length === 0 ? [] : [joined(conditions)]
  }
  const name = bareOperator(type, value)
  if (operators[name].for.some((each) => each === type.name)) return readOperator(name, value, path)
  return refuse(issues, { path, expected: expectedOf(type, further.keys()) }) ?? []
}

interface Reader {
  issues: Issue[]
  defs: Definitions
  /** Whether the rule has `on:`; absent if rules of both kinds may use the condition. */
  onEvents?: boolean
}

function readList(value: unknown, path: Path, reader: Reader): Condition[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((each, index) => readNested(each, [...path, index], reader) ?? [])
  return refuse(reader.issues, { path, expected: 'a list of conditions' }) ?? []
}

function readUse(value: unknown, path: Path, { issues, defs }: Reader): Condition[] {
  const names = listOf(choice([...defs.keys()])).read(value, path, issues) ?? []
  return names.flatMap((name) => {
    const is = defs.get(name)
    return is === undefined ? [] : [{ use: name, is }]
  })
}

function readKey(key: string, value: unknown, path: Path, reader: Reader): Condition[] {
  switch (key) {
    case 'all':
      return [{ all: readList(value, path, reader) }]
    case 'any':
      return [{ any: readList(value, path, reader) }]
    case 'not': {
      const inner = readNested(value, path, reader)
      return inner === undefined ? [] : [{ not: inner }]
    }
    case 'use':
      return readUse(value, path, reader)
    default:
      return (factNamed(key) === undefined ? readHolder : readFact)(key, value, path, reader.issues)
  }
}

/** The conditions directly inside a combinator or a named condition. */
export function partsOf(condition: Condition): readonly Condition[] {
  if ('all' in condition) return condition.all
  if ('any' in condition) return condition.any
  if ('not' in condition) return [condition.not]
  return 'use' in condition ? [condition.is] : []
}

/** The conditions on single facts, in order. */
export function leavesOf(condition: Condition): FactCondition[] {
  return 'fact' in condition ? [condition] : partsOf(condition).flatMap(leavesOf)
}

/** The conditions on single facts that are true whenever the whole condition is. */
export function requiredIn(condition: Condition): FactCondition[] {
  if ('fact' in condition) return [condition]
  return 'all' in condition || 'use' in condition ? partsOf(condition).flatMap(requiredIn) : []
}

/** How many facts a condition has. Counts a named condition at each use; stops above `most`. */
export function sizeOf(condition: Condition, most: number): number {
  if ('fact' in condition) return 1
  let size = 0
  for (const part of partsOf(condition)) {
    size += sizeOf(part, most - size)
    if (size > most) break
  }
  return size
}

function readNested(value: unknown, path: Path, reader: Reader): Condition | undefined {
  const { issues } = reader
  if (issues.length >= MOST_ISSUES) return undefined
  const before = issues.length
  if (!isMap(value) || Object.keys(value).length === 0)
    return refuse(issues, { path, expected: 'a mapping with at least one condition' })
  const known = Object.keys(facts).filter((name) => factNamed(name)?.writtenAs === undefined)
  const holders = factHolders()
  const allowed = [...known, ...Object.keys(holders), ...COMBINATORS]
  const isKnownHere = (name: string) => factNamed(name)?.ofEvents !== true || reader.onEvents !== false
  refuseOtherKeys(value, allowed, path, issues, {
    expected: `the name of a fact, or ${COMBINATORS.join(', ')}`,
    synonyms: () => ({ ...synonymsOf(facts), ...holders }),
    near: () => allowed.filter(isKnownHere),
  })
  const conditions = Object.keys(value)
    .filter((key) => allowed.includes(key))
    .flatMap((key) => readKey(key, value[key], [...path, key], reader))
  return issues.length > before ? undefined : joined(conditions)
}

/** Reads an `if`, or adds its issues. Refuses an empty one, which would match everything. */
export function readCondition(
  value: unknown,
  path: Path,
  issues: Issue[],
  { defs = new Map(), onEvents }: Partial<Omit<Reader, 'issues'>> = {},
): Condition | undefined {
  const condition = readNested(value, path, { issues, defs, onEvents })
  // Each `use` counts in full: twenty definitions that use one another twice contain a million conditions.
  if (condition === undefined || sizeOf(condition, MOST_CONDITIONS) <= MOST_CONDITIONS) return condition
  const expected = `at most ${MOST_CONDITIONS} conditions, with those that use: stands for`
  return refuse(issues, { path, expected, found: 'more of them' })
}

/** What the condition expects of its fact, in words. */
export function sayExpected({ fact, operator, expected }: FactCondition): string {
  const type = factNamed(fact)?.type
  return (type && operatorNamed(operator)?.say(expected, type)) ?? JSON.stringify(expected)
}

export const factsIn = (condition: Condition): string[] => leavesOf(condition).map(({ fact }) => fact)
