// Whether conditions can be true together, and the rules and actions whose conditions cannot.
import { actionNamed } from '../actions/index.ts'
import { factNamed } from '../facts/index.ts'
import { type FactCondition, factsIn, sayExpected } from '../language/conditions.ts'
import { type FactType, levelNumber, levelOf } from '../language/operators/fact-types.ts'
import { operatorNamed, operators } from '../language/operators/operators.ts'
import type { Condition, Json, Rule } from '../language/values/rule-types.ts'
import type { Path } from '../language/values/shapes.ts'

const key = ({ operator, expected }: Literal) => JSON.stringify([operator, expected])
const valuesOf = (expected: Json): Json[] => (Array.isArray(expected) ? expected : [expected])

/** Values that cover every case the literals distinguish; undefined if they cannot be listed. */
function candidates(type: FactType, literals: readonly Literal[]): Json[] | undefined {
  const exact = literals.find((literal) => literal.matches && operatorNamed(literal.operator)?.exact === true)
  if (exact !== undefined) return valuesOf(exact.expected)
  switch (type.name) {
    case 'boolean':
      return [true, false]
    case 'level':
      // Between two levels there may be others, which have a number and no name.
      return (type.values ?? []).flatMap((name) => [name, levelOf(Number(levelNumber(name)) + 1) ?? name])
    case 'integer':
    case 'duration':
    case 'age': {
      const step = type.name === 'integer' ? 1 : 0.5
      return literals
        .flatMap(({ expected }) => valuesOf(expected))
        .flatMap((value) => (typeof value === 'number' ? [value - step, value, value + step] : []))
    }
    case 'choice':
    case 'text':
    case 'clock':
    case 'list':
      return undefined
    default:
      return type.name satisfies never
  }
}

/** Whether one fact can meet all of these. */
export function possibleFact(name: string, literals: readonly Literal[]): boolean {
  const type = factNamed(name)?.type
  if (type === undefined) return true
  const denied = new Set(literals.filter(({ matches }) => !matches).map(key))
  if (literals.some((literal) => literal.matches && denied.has(key(literal)))) return false
  if (type.name === 'list') return possibleList(type, literals)
  // The members of groups are not known here.
  const plain = literals.filter(({ operator }) => operatorNamed(operator)?.among === undefined)
  const values = candidates(type, plain)
  return (
    values === undefined ||
    values.some((value) =>
      plain.every(
        ({ operator, expected, matches }) =>
          operatorNamed(operator)?.test(expected, type)({ value, complete: true }) === String(matches),
      ),
    )
  )
}

/** The literals on the first fact that cannot meet them. */
export function contradiction(literals: readonly Literal[]): Literal[] | undefined {
  const names = [...new Set(literals.map(({ fact }) => fact))]
  return names
    .map((name) => literals.filter(({ fact }) => fact === name))
    .find((own) => !possibleFact(own[0]?.fact ?? '', own))
}

/** For each alternative, the literals that exclude each other; undefined if all conditions can be true at once. */
export function contradictions(conditions: readonly Condition[]): Literal[][] | undefined {
  const all = alternatives({ all: [...conditions] })
  const found = all?.map(contradiction)
  const certain = found?.filter((each) => each !== undefined)
  return certain === undefined || certain.length === 0 || certain.length < (found?.length ?? 0) ? undefined : certain
}

type Items = readonly Json[]

interface Requirements {
  /** At least one element is among these. */
  some: Items[]
  /** At least one element is not among these, or the list is empty. */
  notAll: Items[]
  /** Every element is among these, and the list is not empty. */
  every: Items[]
  none: Items[]
}

const OPPOSITE = { some: 'none', none: 'some', every: 'notAll' } as const

function requirementsOf(literals: readonly Literal[]): Requirements {
  const requirements: Requirements = { some: [], notAll: [], every: [], none: [] }
  for (const { operator, expected: items, matches } of literals) {
    const quantifier = operatorNamed(operator)?.quantifier
    if (quantifier !== undefined) requirements[matches ? quantifier : OPPOSITE[quantifier]].push(valuesOf(items))
  }
  return requirements
}

/** A text that matches only itself: no glob, and no path with another spelling. */
const isPlain = (item: Json): item is string =>
  typeof item === 'string' &&
  !/[*?[\]{}\\]/.test(item) &&
  !item.split('/').some((step) => ['', '.', '..'].includes(step))

const isWithin = (items: Items, others: Items) => {
  const known = new Set(others.map((each) => JSON.stringify(each)))
  return items.every((each) => known.has(JSON.stringify(each)))
}

/** Whether there can be an element that is among each of `inside` and among none of `outside`. */
function possibleElement(inside: readonly Items[], outside: readonly Items[], type: FactType): boolean {
  if (inside.some((items) => outside.some((others) => isWithin(items, others)))) return false
  const listed = inside.find((items) => items.every(isPlain))
  if (listed === undefined) return true
  const fits = (element: Json, items: Items) =>
    operators.any.test([...items], type)({ value: [element], complete: true }) === 'true'
  return listed.some(
    (element) => inside.every((items) => fits(element, items)) && !outside.some((items) => fits(element, items)),
  )
}

/** Whether a list can meet all of these. */
export function possibleList(type: FactType, literals: readonly Literal[]): boolean {
  const { some, notAll, every, none } = requirementsOf(literals)
  if (some.length === 0 && every.length === 0) return true
  // There is an element, so the conditions on all and on none apply to it.
  const elements: [Items[], Items[]][] = [
    ...(every.length > 0 ? [[[], []] as [Items[], Items[]]] : []),
    ...some.map((items): [Items[], Items[]] => [[items], []]),
    ...notAll.map((items): [Items[], Items[]] => [[], [items]]),
  ]
  return elements.every(([inside, outside]) => possibleElement([...inside, ...every], [...outside, ...none], type))
}

export interface LintFinding {
  path: Path
  /** The finding is at the value; absent if it is at the key. */
  at?: 'value'
  message: string
}

/** The condition that the event is one of the rule's. */
function eventConditions({ on }: Rule): Condition[] {
  if (on === undefined) return []
  const operatorOf = (kind: string) => (kind.endsWith('*') ? 'glob' : 'one_of')
  return [{ any: on.map(({ kind }) => ({ fact: 'event', operator: operatorOf(kind), expected: [kind] })) }]
}

/** Everything that must be true when the rule acts. */
export const whenItActs = (rule: Rule): Condition[] => [rule.if, ...eventConditions(rule)]

const say = (literal: Literal) => `${literal.fact} ${literal.matches ? '' : 'not '}${sayExpected(literal)}`

/** Why all alternatives are impossible: their one reason, or the facts. */
function sayContradictions(all: readonly Literal[][]): string {
  const said = [...new Set(all.map((literals) => [...new Set(literals.map(say))].join(' and ')))]
  const [only] = said
  if (said.length === 1 && only !== undefined) return only
  return `the conditions on ${[...new Set(all.flat().map(({ fact }) => fact))].join(', ')}`
}

/** Conditions that each fact has a value which issues can have. */
function issueConditions({ subject, if: condition }: Rule): Condition[] {
  if (subject !== 'issue') return []
  return [...new Set(factsIn(condition))].flatMap((fact) => {
    const values = factNamed(fact)?.valuesOfIssues
    return values === undefined ? [] : [{ fact, operator: 'one_of', expected: [...values] }]
  })
}

/** The conditions of the rule that no issue meets. */
function sayOfNoIssue(all: readonly Literal[][]): string {
  const isOwn = ({ fact, expected, matches }: Literal) =>
    !(matches && JSON.stringify(expected) === JSON.stringify(factNamed(fact)?.valuesOfIssues))
  const said = all.map((literals) => [...new Set(literals.filter(isOwn).map(say))].join(' and '))
  return `no issue has ${[...new Set(said)].join(', or ')}`
}

/** What the rule can never match or do. */
export function unreachableIn(rule: Rule, index: number): LintFinding[] {
  const conditions = whenItActs(rule)
  const never = contradictions(conditions)
  if (never !== undefined)
    return [{ path: ['rules', index, 'if'], message: `never matches: ${sayContradictions(never)} exclude each other` }]
  const ofIssues = issueConditions(rule)
  const noIssue = ofIssues.length === 0 ? undefined : contradictions([...conditions, ...ofIssues])
  if (noIssue !== undefined)
    return [{ path: ['rules', index, 'if'], message: `never matches: ${sayOfNoIssue(noIssue)}` }]
  // An event's request may be done later, when the action's own conditions are true.
  if (rule.on !== undefined) return []
  return rule.actions.flatMap(({ action: name, args }): LintFinding[] => {
    const own = contradictions([...conditions, ...(actionNamed(name)?.requires?.(args) ?? [])])
    if (own === undefined) return []
    const message = `is never done: ${sayContradictions(own)} exclude each other`
    return [{ path: ['rules', index, 'then', name], message }]
  })
}

export type Literal = FactCondition & { matches: boolean }

const MOST_ALTERNATIVES = 200

/** Every alternative under which the condition is true; undefined if there are too many. */
export function alternatives(condition: Condition, matches = true): Literal[][] | undefined {
  if ('fact' in condition) return [[{ ...condition, matches }]]
  if ('use' in condition) return alternatives(condition.is, matches)
  if ('not' in condition) return alternatives(condition.not, !matches)
  const inner = ('all' in condition ? condition.all : condition.any).map((each) => alternatives(each, matches))
  return 'all' in condition === matches ? conjunction(inner) : disjunction(inner)
}

function disjunction(parts: readonly (Literal[][] | undefined)[]): Literal[][] | undefined {
  const known = parts.filter((part) => part !== undefined)
  const joined = known.flat()
  return known.length < parts.length || joined.length > MOST_ALTERNATIVES ? undefined : joined
}

function conjunction(parts: readonly (Literal[][] | undefined)[]): Literal[][] | undefined {
  let product: Literal[][] = [[]]
  for (const part of parts) {
    if (part === undefined || product.length * part.length > MOST_ALTERNATIVES) return undefined
    product = product.flatMap((before) => part.map((more) => [...before, ...more]))
  }
  return product
}

/** The parts that are joined by *and*. */
export function conjuncts(condition: Condition): Condition[] {
  if ('use' in condition) return conjuncts(condition.is)
  return 'all' in condition ? condition.all.flatMap(conjuncts) : [condition]
}
