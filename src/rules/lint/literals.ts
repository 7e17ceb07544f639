// A condition as alternatives, each a list of facts that must be so: what analysis reasons about.
import type { Condition, Json } from '../language/values/rule-types.ts'

/** One operator on one fact, and whether it must be true or false. */
export interface Literal {
  fact: string
  operator: string
  expected: Json
  holds: boolean
}

const MOST_ALTERNATIVES = 200

/** Every alternative under which the condition is true; undefined where they are too many to look at. */
export function alternatives(condition: Condition, holds = true): Literal[][] | undefined {
  if ('fact' in condition) return [[{ ...condition, holds }]]
  if ('use' in condition) return alternatives(condition.is, holds)
  if ('not' in condition) return alternatives(condition.not, !holds)
  const inner = ('all' in condition ? condition.all : condition.any).map((each) => alternatives(each, holds))
  return 'all' in condition === holds ? each(inner) : either(inner)
}

function either(parts: readonly (Literal[][] | undefined)[]): Literal[][] | undefined {
  const known = parts.filter((part) => part !== undefined)
  const joined = known.flat()
  return known.length < parts.length || joined.length > MOST_ALTERNATIVES ? undefined : joined
}

function each(parts: readonly (Literal[][] | undefined)[]): Literal[][] | undefined {
  let product: Literal[][] = [[]]
  for (const part of parts) {
    if (part === undefined || product.length * part.length > MOST_ALTERNATIVES) return undefined
    product = product.flatMap((before) => part.map((more) => [...before, ...more]))
  }
  return product
}

/** What must hold in any case: the parts that are joined by *and*. */
export function conjuncts(condition: Condition): Condition[] {
  if ('use' in condition) return conjuncts(condition.is)
  return 'all' in condition ? condition.all.flatMap(conjuncts) : [condition]
}
