// What an event withdrew stays withdrawn for that head until an event requests it, even if a state rule requests it.
import { isOneWay } from '../../actions/definition/action.ts'
import { actionNamed } from '../../actions/index.ts'
import type { Decision, Memory, RuleTrace } from '../../types.ts'
import { ruleName } from './standing-requests.ts'

type Restraints = NonNullable<Memory['restrained']>

/** The actions that an event rule requests now, including those that it could not do: that fails closed. */
function requestedActions({ event, mode, actions }: RuleTrace): string[] {
  if (event === undefined || mode !== undefined) return []
  return actions
    .filter(({ result, withdrawal }) => withdrawal !== true && result !== 'done_before' && result !== 'overruled')
    .map(({ action }) => action)
}

/** The one-way actions that events keep state rules from, for as long as the rule stays matched. */
export function restrainedOneWayActions({ rules }: Decision): Set<string> {
  const names = rules.flatMap(requestedActions).flatMap((name) => actionNamed(name)?.restrains?.actions ?? [])
  return new Set(names.filter((name) => isOneWay(actionNamed(name) ?? {})))
}

/** The restrained actions with head and rule. A push or an event that requests the action ends a restraint. */
export function restrainedAfter({ restrained = {} }: Memory, { head, rules }: Decision): Restraints {
  const requested = new Set(rules.flatMap(requestedActions))
  const kept = Object.entries(restrained).filter(
    ([name, before]) => (head === null || before.head === head) && !requested.has(name),
  )
  const added = rules.flatMap((rule) =>
    requestedActions(rule).flatMap((name) => {
      const { actions = [], also } = actionNamed(name)?.restrains ?? {}
      // With the file, so that public text can recognize and hide it.
      return also === 'while_head_stays' && head !== null
        ? actions.map((each) => [each, { head, by: ruleName(rule) }] as const)
        : []
    }),
  )
  return Object.fromEntries([...kept, ...added])
}
