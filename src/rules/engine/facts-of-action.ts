// The facts that an action of a rule names by its arguments.
import { actionNamed } from '../actions/index.ts'
import { factNamed } from '../facts/index.ts'
import { factsIn } from '../language/conditions.ts'
import { namesIn } from '../language/templates.ts'
import type { RuleAction } from '../types.ts'
import { conditionsReadLast } from './accept.ts'

/** The facts, without those that every use of the action needs. */
export function factsOfAction({ action: name, args }: RuleAction): string[] {
  const action = actionNamed(name)
  if (action === undefined) return []
  return [
    ...[...(action.requires?.(args) ?? []), ...conditionsReadLast(action)].flatMap(factsIn),
    ...(action.reads?.facts?.(args) ?? []),
    // A name may be that of a group.
    ...(action.template?.texts?.(args) ?? []).flatMap(namesIn).filter((each) => factNamed(each) !== undefined),
  ]
}
