// Whether a list (labels, files) can meet all conditions on it.
import type { FactType } from '../language/operators/fact-types.ts'
import { operatorNamed, operators, testValue } from '../language/operators/operators.ts'
import type { Json } from '../language/values/rule-types.ts'
import type { Literal } from './literals.ts'

type Items = readonly Json[]
const itemsOf = (expected: Json): Items => (Array.isArray(expected) ? expected : [expected])

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
    if (quantifier !== undefined) requirements[matches ? quantifier : OPPOSITE[quantifier]].push(itemsOf(items))
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
    testValue(operators.any, { value: [element], complete: true, type }, [...items]) === 'true'
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
