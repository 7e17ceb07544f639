// The JSON Schema of `then:`: every action with its arguments.
import type { Action } from '../../actions/definition/action.ts'
import { isActionOf } from '../../actions/definition/action-subject.ts'
import { actions } from '../../actions/index.ts'
import type { ReadContext, ShapeSchema } from '../values/shapes.ts'
import { exampleOf } from './conditions.ts'

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
