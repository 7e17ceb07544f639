// The JSON Schema of `if:` and `then:`: facts with the operators of their types, combinators, and actions.
import { parse } from 'yaml'
import type { Action } from '../../actions/definition/action.ts'
import { isActionOf } from '../../actions/definition/action-calls.ts'
import { actions } from '../../actions/index.ts'
import { docOf, type Fact, isFactOf } from '../../facts/definition/fact.ts'
import { facts } from '../../facts/index.ts'
import { bareOperator, counts, factHolders, labelName } from '../conditions.ts'
import type { FactType } from '../operators/fact-types.ts'
import { operatorNamed, operatorsFor } from '../operators/operators.ts'
import type { Json, Subject } from '../values/rule-types.ts'
import { listOf, type ReadContext, type ShapeSchema, text } from '../values/shapes.ts'

const all = Object.entries(facts as Record<string, Fact>)

/** Facts of one type share a definition; each choice has its own. */
function definitionOf(name: string, { type, ofLabel, widened }: Fact): string {
  if (type.name === 'choice' || ofLabel !== undefined || widened !== undefined) return `${name}_fact`
  return `${type.nullable === true ? 'optional_' : ''}${type.users === true ? 'user_' : ''}${type.name}_fact`
}

/** The value of a fact without an operator's name. */
function bareSchema(type: FactType, context: ReadContext): ShapeSchema[] {
  const names = [bareOperator(type, []), bareOperator(type)]
  const operator = names.map((name) => operatorNamed(name)).find((each) => each?.for.includes(type.name))
  const schema = operator?.expected(type).schema(context)
  if (schema === undefined) return []
  // A mapping means operators, so a list item that is a mapping must be in a list.
  return [type.name === 'list' ? { ...schema, not: { type: 'object' } } : schema]
}

/** The facts that are written as keys of this one, or of a word that holds them, by those keys. */
const factsIn = (word: string, subject?: Subject) =>
  all.flatMap(([name, fact]): [string, ShapeSchema][] =>
    fact.writtenAs?.fact === word && (subject === undefined || isFactOf(fact, subject))
      ? [[fact.writtenAs.key, { description: docOf(fact), $ref: `#/$defs/${definitionOf(name, fact)}` }]]
      : [],
  )

function typeSchema(
  definition: string,
  [fact, { type, ofLabel, widened }]: [string, Fact],
  context: ReadContext,
): ShapeSchema {
  const named = operatorsFor(type).map((name): [string, ShapeSchema] => {
    const operator = operatorNamed(name)
    return [name, { description: operator?.doc ?? '', ...operator?.expected(type).schema(context) }]
  })
  const others = operatorsFor(type).flatMap((name) =>
    Object.entries(operatorNamed(name)?.with?.(type) ?? {}).map(([key, shape]): [string, ShapeSchema] => [
      key,
      shape.schema(context),
    ]),
  )
  const label: [string, ShapeSchema][] = ofLabel === undefined ? [] : [['label', labelName.schema(context)]]
  const words = (widened?.words ?? []).map((word): [string, ShapeSchema] => [word, counts.schema(context)])
  const not = { description: 'Anything but this.', $ref: `#/$defs/${definition}` }
  const mapping = {
    type: 'object',
    properties: Object.fromEntries([...named, ...others, ...label, ...words, ...factsIn(fact), ['not', not]]),
    minProperties: 1,
    additionalProperties: false,
  }
  return { anyOf: [...bareSchema(type, context), mapping] }
}

/** The value in an example, which names the fact or the action. */
export function exampleOf(name: string, { example }: { example: string }): Json[] {
  const read: unknown = parse(example)
  return typeof read === 'object' && read !== null && name in read ? [(read as Record<string, Json>)[name] ?? null] : []
}

export function conditionDefinitions(context: ReadContext): Record<string, ShapeSchema> {
  const definitions = new Map(all.map((each) => [definitionOf(...each), each]))
  return Object.fromEntries([...definitions].map(([name, each]) => [name, typeSchema(name, each, context)]))
}

const longestName = 60

/** A mapping of facts and combinators; `self` is the name of its definition. */
export function conditionSchema(self: string, context: ReadContext): ShapeSchema {
  const inner = { $ref: `#/$defs/${self}` }
  const list = { type: 'array', minItems: 1, items: inner }
  const known = all.filter(
    ([, fact]) =>
      fact.writtenAs === undefined &&
      (context.onEvents || fact.ofEvents !== true) &&
      isFactOf(fact, context.subject ?? 'merge_request'),
  )
  const ofFacts = known.map(([name, fact]): [string, ShapeSchema] => [
    name,
    { description: docOf(fact), examples: exampleOf(name, fact), $ref: `#/$defs/${definitionOf(name, fact)}` },
  ])
  const mapping = { type: 'object', minProperties: 1, additionalProperties: false }
  const ofHolders = Object.keys(factHolders()).flatMap((word): [string, ShapeSchema][] => {
    const held = factsIn(word, context.subject ?? 'merge_request')
    return held.length === 0
      ? []
      : [[word, { ...mapping, description: 'Every one of these is true.', properties: Object.fromEntries(held) }]]
  })
  return {
    ...mapping,
    properties: {
      all: { description: 'Every one of these conditions is true.', ...list },
      any: { description: 'At least one of these conditions is true.', ...list },
      not: { description: 'This condition is not true.', ...inner },
      use: { description: 'Conditions of `defs:`, by name.', ...listOf(text(longestName)).schema(context) },
      ...Object.fromEntries([...ofFacts, ...ofHolders]),
    },
  }
}

/** The actions that a rule of this kind may request. */
export function actionsSchema(context: ReadContext): ShapeSchema {
  const may = Object.entries<Action>(actions).filter(
    ([, action]) =>
      (context.onEvents ? action.when !== 'unmatched_too' : action.when !== 'on_events') &&
      isActionOf(action, context.subject ?? 'merge_request'),
  )
  const properties = may.map(([name, action]): [string, ShapeSchema] => [
    name,
    { description: action.doc, examples: exampleOf(name, action), ...action.args.schema(context) },
  ])
  return { type: 'object', minProperties: 1, properties: Object.fromEntries(properties), additionalProperties: false }
}
