// Whether a list (labels, files) can be as a rule wants it: what some of it must be, against what all and none of it may be.
import type { FactType } from '../language/operators/fact-types.ts'
import { operatorNamed, operators, testValue } from '../language/operators/operators.ts'
import type { Json } from '../language/values/rule-types.ts'
import type { Literal } from './literals.ts'

type Items = readonly Json[]
const itemsOf = (expected: Json): Items => (Array.isArray(expected) ? expected : [expected])

interface Requirements {
  /** One element at least is among these. */
  some: Items[]
  /** One element at least is not among these, or there is none. */
  notAll: Items[]
  /** Every element is among these, and there is one. */
  every: Items[]
  /** No element is among these. */
  none: Items[]
}

const OPPOSITE = { some: 'none', none: 'some', every: 'notAll' } as const

function requirementsOf(literals: readonly Literal[]): Requirements {
  const expected: Requirements = { some: [], notAll: [], every: [], none: [] }
  for (const { operator, expected: items, holds } of literals) {
    const quantifier = operatorNamed(operator)?.quantifier
    if (quantifier !== undefined) expected[holds ? quantifier : OPPOSITE[quantifier]].push(itemsOf(items))
  }
  return expected
}

/** A text that fits only itself: no glob, and no path that could be written otherwise. */
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

/** Whether a list can be as all of these want it. */
export function possibleList(type: FactType, literals: readonly Literal[]): boolean {
  const { some, notAll, every, none } = requirementsOf(literals)
  if (some.length === 0 && every.length === 0) return true
  // There is an element, so whatever is expected of all or none of them is expected of it.
  const elements: [Items[], Items[]][] = [
    ...(every.length > 0 ? [[[], []] as [Items[], Items[]]] : []),
    ...some.map((items): [Items[], Items[]] => [[items], []]),
    ...notAll.map((items): [Items[], Items[]] => [[], [items]]),
  ]
  return elements.every(([inside, outside]) => possibleElement([...inside, ...every], [...outside, ...none], type))
}
