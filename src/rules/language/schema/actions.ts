// The JSON Schema of `then:`: every action with its arguments.
import { parse } from 'yaml'
import type { Action } from '../../actions/definition/action.ts'
import { isActionOf } from '../../actions/definition/action-subject.ts'
import { actions } from '../../actions/index.ts'
import type { Json } from '../values/rule-types.ts'
import type { ReadContext, ShapeSchema } from '../values/shapes.ts'

function exampleOf({ name, example }: Action): Json[] {
  const read: unknown = parse(example)
  return typeof read === 'object' && read !== null && name in read ? [(read as Record<string, Json>)[name] ?? null] : []
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
    { description: action.doc, examples: exampleOf(action), ...action.args.schema(context) },
  ])
  return { type: 'object', minProperties: 1, properties: Object.fromEntries(properties), additionalProperties: false }
}
