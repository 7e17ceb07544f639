// A condition as alternatives, each a list of single-fact conditions that must be true or false.
import type { Condition, Json } from '../language/values/rule-types.ts'

export interface Literal {
  fact: string
  operator: string
  expected: Json
  matches: boolean
}

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
