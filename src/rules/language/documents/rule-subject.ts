// Whether a rule acts on merge requests or on the project; never on both.
import type { Action } from '../../actions/definition/action.ts'
import { actionNamed, actions } from '../../actions/index.ts'
import { needsMergeRequest } from '../../facts/definition/fact.ts'
import { factNamed } from '../../facts/index.ts'
import { factsIn } from '../conditions.ts'
import { isOfMergeRequests } from '../events.ts'
import type { Condition, EventFilter, RuleAction } from '../values/rule-types.ts'
import { type Issue, isMap, type Path } from '../values/shapes.ts'

/** The parts of a rule that were read. */
interface Parts {
  path: Path
  value: Record<string, unknown>
  actions: readonly RuleAction[]
  on: readonly EventFilter[] | undefined
  command: string | undefined
  condition: Condition | undefined
}

/** Whether the rule acts on the project; adds an issue if its actions, events and conditions do not fit together. */
export function isOfProject(
  { path, value, actions: requested, on = [], command, condition }: Parts,
  issues: Issue[],
): boolean {
  const [ofProject] = requested.filter(({ action }) => actionNamed(action)?.ofProject === true)
  const [ofMergeRequest] = requested.filter(({ action }) => actionNamed(action)?.ofProject !== true)
  const without = on.find(({ kind }) => !isOfMergeRequests(kind))
  const issue = (at: Path, expected: string, found: string) =>
    issues.push({ path: [...path, ...at], at: 'key', expected, found })
  if (ofProject !== undefined && ofMergeRequest !== undefined)
    issue(
      ['then', ofProject.action],
      'a rule of its own for what is done to the project',
      `${ofProject.action} next to ${ofMergeRequest.action}, which is done to a merge request`,
    )
  else if (ofMergeRequest !== undefined && without !== undefined)
    issue(
      ['then', ofMergeRequest.action],
      `what is done to the project (${projectActions.join(', ')}), because ${without.kind} is about no merge request`,
      ofMergeRequest.action,
    )
  if (ofProject === undefined) return false
  if (command !== undefined)
    issue(
      ['command'],
      'on: with an event, because a command is in a note on a merge request',
      `a command for ${ofProject.action}`,
    )
  const unknown = condition === undefined ? undefined : factsIn(condition).find((name) => isOfMergeRequest(name))
  if (unknown !== undefined) {
    const own = isMap(value.if) && Object.hasOwn(value.if, unknown) ? [unknown] : []
    const expected = `facts of the event, the project or the clock, because ${ofProject.action} is done to the project`
    issue(['if', ...own], expected, `${unknown}, which is of a merge request`)
  }
  return true
}

const projectActions = Object.values<Action>(actions).flatMap(({ name, ofProject }) =>
  ofProject === true ? [name] : [],
)

function isOfMergeRequest(name: string): boolean {
  const fact = factNamed(name)
  return fact !== undefined && needsMergeRequest(fact)
}
