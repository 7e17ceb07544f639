// Whether facts can be as a rule wants them all at once. Only what is certain counts: where it is not known, it is possible.

import { factNamed } from '../facts/index.ts'
import type { FactType } from '../language/operators/fact-types.ts'
import { operatorNamed } from '../language/operators/operators.ts'
import type { Condition, Json } from '../language/values/rule-types.ts'
import { alternatives, type Literal } from './literals.ts'
import { possibleList } from './possible-list.ts'

const key = ({ operator, expected }: Literal) => JSON.stringify([operator, expected])
const isListed = ({ operator }: Literal) => operatorNamed(operator)?.exact === true
const valuesOf = (expected: Json): Json[] => (Array.isArray(expected) ? expected : [expected])

/** Enough values to stand for all that the literals could tell apart; undefined where nobody can list them. */
function candidates(type: FactType, literals: readonly Literal[]): Json[] | undefined {
  const exact = literals.find((literal) => literal.holds && isListed(literal))
  if (exact !== undefined) return valuesOf(exact.expected)
  switch (type.name) {
    case 'boolean':
      return [true, false]
    case 'level':
      // A level that this version does not know is compared with none, but differs from all.
      return literals.some((literal) => !isListed(literal)) ? [...(type.values ?? [])] : undefined
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

/** Whether one fact can be as all of these want it. */
export function possibleFact(name: string, literals: readonly Literal[]): boolean {
  const type = factNamed(name)?.type
  if (type === undefined) return true
  const denied = new Set(literals.filter(({ holds }) => !holds).map(key))
  if (literals.some((literal) => literal.holds && denied.has(key(literal)))) return false
  if (type.name === 'list') return possibleList(type, literals)
  const values = candidates(type, literals)
  return (
    values === undefined ||
    values.some((value) =>
      literals.every(
        ({ operator, expected, holds }) =>
          operatorNamed(operator)?.test(expected, type)({ value, complete: true, type }) === String(holds),
      ),
    )
  )
}

/** The literals on the first fact that cannot be as an alternative wants it. */
export function contradiction(literals: readonly Literal[]): Literal[] | undefined {
  const names = [...new Set(literals.map(({ fact }) => fact))]
  return names
    .map((name) => literals.filter(({ fact }) => fact === name))
    .find((own) => !possibleFact(own[0]?.fact ?? '', own))
}

/** Undefined where all of these can hold at once; else, for each alternative, the literals that exclude one another. */
export function contradictions(conditions: readonly Condition[]): Literal[][] | undefined {
  const all = alternatives({ all: [...conditions] })
  const found = all?.map(contradiction)
  const certain = found?.filter((each) => each !== undefined)
  return certain === undefined || certain.length === 0 || certain.length < (found?.length ?? 0) ? undefined : certain
}
