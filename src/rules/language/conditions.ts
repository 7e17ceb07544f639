// Reads an `if` from plain values: facts, operators, and the combinators all, any and not.

import { factNamed, facts } from '../facts/index.ts'
import type { FactType } from './operators/fact-types.ts'
import { operatorNamed, operators, operatorsFor } from './operators/operators.ts'
import type { Condition, Json } from './values/rule-types.ts'
import { choice, type Issue, isMap, listOf, MOST_ISSUES, type Path, refuse, refuseOtherKeys } from './values/shapes.ts'

export const MOST_CONDITIONS = 500
const COMBINATORS = ['all', 'any', 'not', 'use']

/** Conditions by their names, as `defs:` gives them. */
export type Definitions = ReadonlyMap<string, Condition>

/** What a value without an operator means. */
export function bareOperator(type: FactType, value?: unknown) {
  if (type.name === 'list') return 'any'
  if (type.name === 'clock') return 'within'
  return Array.isArray(value) ? 'one_of' : 'equals'
}

function expectedOf(type: FactType): string {
  const named = [...operatorsFor(type), 'not']
  const bare = type.name === 'age' ? '' : `${operators[bareOperator(type)].expected(type).expected}, or `
  return `${bare}a mapping with ${named.join(', ')}`
}

function single(conditions: Condition[]): Condition {
  const [first] = conditions
  return conditions.length === 1 && first !== undefined ? first : { all: conditions }
}

/** One operator with its value. */
function readOperator(
  fact: string,
  type: FactType,
  name: string,
  value: unknown,
  path: Path,
  issues: Issue[],
): Condition[] {
  if (name === 'not')
    return readFact(fact, type, value, path, issues)
      .slice(0, 1)
      .map((inner) => ({ not: inner }))
  const expected: Json | undefined = operatorNamed(name)?.expected(type).read(value, path, issues)
  return expected === undefined ? [] : [{ fact, operator: name, expected }]
}

/** A fact's condition: a bare value, a list, or operators. */
function readFact(fact: string, type: FactType, value: unknown, path: Path, issues: Issue[]): Condition[] {
  const bare =
    type.name === 'clock' && isMap(value) && !Object.keys(value).some((key) => key === 'not' || key === 'within')
  if (isMap(value) && !bare) {
    const allowed = [...operatorsFor(type), 'not']
    refuseOtherKeys(value, allowed, path, issues)
    const keys = Object.keys(value).filter((key) => allowed.includes(key))
    if (Object.keys(value).length === 0) issues.push({ path, expected: expectedOf(type), found: 'an empty mapping' })
    const conditions = keys.flatMap((key) => readOperator(fact, type, key, value[key], [...path, key], issues))
    return conditions.length === 0 ? [] : [single(conditions)]
  }
  const name = bareOperator(type, value)
  if (operators[name].for.some((each) => each === type.name)) return readOperator(fact, type, name, value, path, issues)
  issues.push({ path, expected: expectedOf(type) })
  return []
}

function readList(value: unknown, path: Path, issues: Issue[], defs: Definitions): Condition[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((each, index) => readNested(each, [...path, index], issues, defs) ?? [])
  issues.push({ path, expected: 'a list of conditions' })
  return []
}

function readUse(value: unknown, path: Path, issues: Issue[], defs: Definitions): Condition[] {
  const names = listOf(choice([...defs.keys()])).read(value, path, issues) ?? []
  return names.flatMap((name) => {
    const is = defs.get(name)
    return is === undefined ? [] : [{ use: name, is }]
  })
}

function readKey(key: string, value: unknown, path: Path, issues: Issue[], defs: Definitions): Condition[] {
  switch (key) {
    case 'all':
      return [{ all: readList(value, path, issues, defs) }]
    case 'any':
      return [{ any: readList(value, path, issues, defs) }]
    case 'not': {
      const inner = readNested(value, path, issues, defs)
      return inner === undefined ? [] : [{ not: inner }]
    }
    case 'use':
      return readUse(value, path, issues, defs)
    default: {
      const type = factNamed(key)?.type
      return type === undefined ? [] : readFact(key, type, value, path, issues)
    }
  }
}

/** How many facts a condition has. Counts a named condition at each use; stops above `most`. */
export function sizeOf(condition: Condition, most: number): number {
  if ('fact' in condition) return 1
  if ('use' in condition) return sizeOf(condition.is, most)
  if ('not' in condition) return sizeOf(condition.not, most)
  let size = 0
  for (const each of 'all' in condition ? condition.all : condition.any) {
    size += sizeOf(each, most - size)
    if (size > most) break
  }
  return size
}

function readNested(value: unknown, path: Path, issues: Issue[], defs: Definitions): Condition | undefined {
  if (issues.length >= MOST_ISSUES) return undefined
  const before = issues.length
  if (!isMap(value) || Object.keys(value).length === 0)
    return refuse(issues, { path, expected: 'a mapping with at least one condition' })
  const allowed = [...Object.keys(facts), ...COMBINATORS]
  refuseOtherKeys(value, allowed, path, issues, `the name of a fact, or ${COMBINATORS.join(', ')}`)
  const conditions = Object.keys(value)
    .filter((key) => allowed.includes(key))
    .flatMap((key) => readKey(key, value[key], [...path, key], issues, defs))
  return issues.length > before ? undefined : single(conditions)
}

/** An `if`, or undefined after adding its issues. Refuses an empty one, which would match everything. */
export function readCondition(
  value: unknown,
  path: Path,
  issues: Issue[],
  defs: Definitions = new Map(),
): Condition | undefined {
  const condition = readNested(value, path, issues, defs)
  // Each `use` counts in full: twenty definitions that use one another twice would be a million conditions.
  if (condition === undefined || sizeOf(condition, MOST_CONDITIONS) <= MOST_CONDITIONS) return condition
  const expected = `at most ${MOST_CONDITIONS} conditions, with those that use: stands for`
  return refuse(issues, { path, expected, found: 'more of them' })
}

/** The names of all facts in a condition. */
export function factsIn(condition: Condition): string[] {
  if ('fact' in condition) return [condition.fact]
  if ('use' in condition) return factsIn(condition.is)
  if ('not' in condition) return factsIn(condition.not)
  return ('all' in condition ? condition.all : condition.any).flatMap(factsIn)
}
