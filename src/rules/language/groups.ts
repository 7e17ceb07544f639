// The named groups of a rule's expressions, which its texts and values may use: `label: { add: "type::{{ type }}" }`.

import { NOT_SHOWN } from '../facts/definition/fact.ts'
import type { FactReader } from '../facts/reading/fact-view.ts'
import type { FactValue } from '../types.ts'
import { partsOf } from './conditions.ts'
import type { GroupReader } from './patterns/pattern-budget.ts'
import { expressionPattern, groupNames } from './patterns/patterns.ts'
import { fillPlaces, type TextFacts } from './templates.ts'
import type { Condition, Json, NamedGroup, Rule } from './values/rule-types.ts'
import { isMap, type NamedGroups } from './values/shapes.ts'
import { cut, show } from './values/wording.ts'

type Uses = Map<string, NamedGroup | { never: string }>

/** The groups of a rule's `if`. A group has a value if the rule cannot match without it. */
export function groupsIn(condition: Condition): NamedGroups {
  const found: Uses = new Map()
  collect(condition, undefined, found)
  return found
}

/** `never`: why the groups of this part have no value. */
function collect(condition: Condition, never: string | undefined, found: Uses): void {
  if (!('fact' in condition)) {
    const why = 'any' in condition ? 'any' : 'not' in condition ? 'not' : undefined
    const inner = never ?? (why === undefined ? undefined : `a group under ${why}, which the rule can match without`)
    for (const part of partsOf(condition)) collect(part, inner, found)
    return
  }
  const { fact, operator, expected } = condition
  const why =
    never ?? (operator === 'matches' ? undefined : 'a group for the items of a list, of which several may fit')
  for (const expression of expressionsIn(operator, expected)) {
    for (const name of groupNames(expression))
      put(name, why === undefined ? { fact, expression } : { never: why }, found)
  }
}

function expressionsIn(operator: string, expected: Json): string[] {
  if (operator === 'matches') return typeof expected === 'string' ? [expected] : []
  const items = Array.isArray(expected) ? expected : [expected]
  return items.flatMap((each) => (isMap(each) && typeof each.matches === 'string' ? [each.matches] : []))
}

/** A group with a value replaces one without. Two groups with a value are ambiguous. */
function put(name: string, use: NamedGroup | { never: string }, found: Uses): void {
  const before = found.get(name)
  if (before === undefined || ('never' in before && before.never !== AMBIGUOUS && 'fact' in use)) found.set(name, use)
  else if ('fact' in before && 'fact' in use && !isSame(before, use)) found.set(name, { never: AMBIGUOUS })
}

const AMBIGUOUS = 'a group of two conditions'
const isSame = (one: NamedGroup, other: NamedGroup) => one.fact === other.fact && one.expression === other.expression

/** The groups with a value, as a rule stores them. */
export function usableGroups(groups: NamedGroups): Rule['groups'] {
  const usable = [...groups].flatMap(([name, use]) => ('fact' in use ? [[name, use] as const] : []))
  return usable.length === 0 ? undefined : Object.fromEntries(usable)
}

/** The facts of a rule's texts: its groups go before facts of the same name. */
export function textFacts({ groups }: Pick<Rule, 'groups'>, view: FactReader, read: GroupReader): TextFacts {
  if (groups === undefined) return view
  return {
    publicFact(name) {
      const group = Object.hasOwn(groups, name) ? groups[name] : undefined
      return group === undefined ? view.publicFact(name) : groupValue(name, group, view, read)
    },
  }
}

/** The value of a group, from the public value of the fact, because labels, notes and titles are public. */
function groupValue(name: string, { fact, expression }: NamedGroup, view: FactReader, read: GroupReader): FactValue {
  const value = view.publicFact(fact)
  if (value.is !== 'known') return value
  const text = typeof value.value === 'string' ? read(expressionPattern(expression), value.value)?.[name] : undefined
  // The rule matched another value than the public one.
  if (text === undefined) return { is: 'absent', reason: NOT_SHOWN }
  if (text === null) return { is: 'absent', reason: `the group ${name} took no part in the match` }
  return { is: 'known', value: text, complete: true }
}

/** What a group may contribute to a value: no comma, colon, slash, space or control character. */
const VALUE = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,49}$/u
const VALUE_WORDS = 'at most 50 letters, digits, ".", "_" and "-", the first a letter or a digit'

/** Fills the groups into a value, and reads the result; undefined after a refusal. */
export type FillValue = <T>(
  template: string,
  read: (text: string) => T | undefined,
  expected: string,
  fits?: RegExp,
) => T | undefined

/** Calls `refuse` with the reason if a value cannot be filled in. */
export function fillValues(facts: TextFacts, refuse: (reason: string) => void): FillValue {
  return (template, read, expected, fits = VALUE) => {
    let isRefused = false
    const refused = (reason: string) => {
      isRefused = true
      refuse(reason)
      return ''
    }
    const text = fillPlaces(template, (name) => {
      const value = facts.publicFact(name)
      if (value.is !== 'known')
        return refused(`{{ ${name} }} has no value: ${value.is === 'absent' ? value.reason : 'it was not read'}`)
      const said = String(value.value)
      if (fits.test(said)) return said
      return refused(`{{ ${name} }} is ${show(cut(said, 60))}; expected ${fits === VALUE ? VALUE_WORDS : expected}`)
    })
    if (isRefused) return undefined
    const filled = read(text)
    if (filled === undefined) refuse(`the value is ${show(cut(text, 100))}; expected ${expected}`)
    return filled
  }
}
