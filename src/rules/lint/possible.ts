// Whether conditions can be true together. What is not certainly impossible counts as possible.

import { factNamed } from '../facts/index.ts'
import { type FactType, levelNumber, levelOf } from '../language/operators/fact-types.ts'
import { operatorNamed } from '../language/operators/operators.ts'
import type { Condition, Json } from '../language/values/rule-types.ts'
import { alternatives, type Literal } from './literals.ts'
import { possibleList } from './possible-list.ts'

const key = ({ operator, expected }: Literal) => JSON.stringify([operator, expected])
const isListed = ({ operator }: Literal) => operatorNamed(operator)?.exact === true
const valuesOf = (expected: Json): Json[] => (Array.isArray(expected) ? expected : [expected])

/** Values that cover every case the literals distinguish; undefined if they cannot be listed. */
function candidates(type: FactType, literals: readonly Literal[]): Json[] | undefined {
  const exact = literals.find((literal) => literal.matches && isListed(literal))
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
          operatorNamed(operator)?.test(expected, type)({ value, complete: true, type }) === String(matches),
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
