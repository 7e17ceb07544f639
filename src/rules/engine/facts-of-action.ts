// The facts that an action of a rule names by its arguments.
import { actionNamed } from '../actions/index.ts'
import { factNamed } from '../facts/index.ts'
import { factsIn } from '../language/conditions.ts'
import { namesIn } from '../language/templates.ts'
import type { RuleAction } from '../types.ts'

/** Without those that every use of the action needs. */
export function factsOfAction({ action: name, args }: RuleAction): string[] {
  const action = actionNamed(name)
  return [
    ...[...(action?.requires?.(args) ?? []), ...(action?.requiresThen ?? [])].flatMap(factsIn),
    ...(action?.needsFor?.(args) ?? []),
    // A name may be that of a group.
    ...(action?.texts?.(args) ?? []).flatMap(namesIn).filter((each) => factNamed(each) !== undefined),
  ]
}
