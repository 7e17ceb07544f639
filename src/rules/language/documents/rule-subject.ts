// What a rule is for: merge requests, issues, or the project, but never two of them.
import type { Action } from '../../actions/definition/action.ts'
import { isActionOf } from '../../actions/definition/action-calls.ts'
import { actionNamed, actions } from '../../actions/index.ts'
import { factOwners, isFactOf } from '../../facts/definition/fact.ts'
import { factNamed } from '../../facts/index.ts'
import { factsIn } from '../conditions.ts'
import { isEventOf } from '../events.ts'
import type { Condition, Rule, RuleAction, Subject } from '../values/rule-types.ts'
import { choice, type Issue, isMap, type Path, refuseKey } from '../values/shapes.ts'

export const forShape = choice(['merge_requests', 'issues', 'project'])

const projectActions = Object.values<Action>(actions).flatMap((action) =>
  isActionOf(action, 'project') ? [action.name] : [],
)

const WORDS: Record<Subject, { done: string; many: string; events: string }> = {
  merge_request: { done: 'done to a merge request', many: 'merge requests', events: 'events of merge requests' },
  issue: { done: 'done to an issue', many: 'issues', events: 'events of issues: issue.*, note.*, emoji.*' },
  project: {
    done: `done for the project (${projectActions.join(', ')})`,
    many: 'the project',
    events: 'events',
  },
}

/** The subject that `for:` names. Without it, an event about no merge request makes it a rule for the project. */
export function ruleSubject(said: unknown, kinds: readonly string[]): Subject {
  if (said === 'issues') return 'issue'
  if (said === 'project') return 'project'
  return said === undefined && foreignKind(kinds) !== undefined ? 'project' : 'merge_request'
}

const foreignKind = (kinds: readonly string[]) => kinds.find((kind) => !isEventOf(kind, 'merge_request'))

/** Adds an issue for each action, event, command and fact that the subject of the rule does not have. */
export function refuseForeignParts(
  { on = [], actions: requested, command, if: condition }: Partial<Rule> & { actions: RuleAction[]; command?: string },
  { path, value, subject }: { path: Path; value: Record<string, unknown>; subject: Subject },
  issues: Issue[],
): void {
  const { done, many, events } = WORDS[subject]
  const kinds = on.map(({ kind }) => kind)
  const issue = (at: Path, expected: string, found: string) => refuseKey(issues, [...path, ...at], expected, found)
  const without = Object.hasOwn(value, 'for') ? undefined : foreignKind(kinds)
  const because =
    without === undefined ? `because the rule is for ${many}` : `because ${without} is about no merge request`
  const action = requested.find((each) => !isActionOf(actionNamed(each.action) ?? {}, subject))
  const kind = kinds.find((each) => !isEventOf(each, subject))
  if (action !== undefined) issue(['then', action.action], `what is ${done}, ${because}`, action.action)
  else if (kind !== undefined) issue(['on'], events, kind)
  if (subject === 'project' && command !== undefined)
    issue(
      ['command'],
      'on: with an event, because a command is in a note on a merge request or an issue',
      'a command for the project',
    )
  else if (subject === 'project' && kinds.length === 0)
    issue(['for'], 'a rule with on:, because the project is evaluated only for events', 'a rule without on:')
  const foreign = condition === undefined ? undefined : factsIn(condition).find((name) => !isNamedFactOf(name, subject))
  if (foreign === undefined) return
  const own = isMap(value.if) && Object.hasOwn(value.if, foreign) ? [foreign] : []
  const owner = factNamed(foreign)?.ofIssues === 'only' ? 'an issue' : 'a merge request'
  issue(['if', ...own], `facts of ${factOwners[subject]}, ${because}`, `${foreign}, which is of ${owner}`)
}

/** Why no rule can use the condition: it has facts of merge requests and facts of issues; undefined if one can. */
export function mixedFacts(condition: Condition): string | undefined {
  const named = factsIn(condition)
  const foreign = (subject: Subject) => named.find((name) => !isNamedFactOf(name, subject))
  const [ofIssues, ofMergeRequests] = [foreign('merge_request'), foreign('issue')]
  return ofIssues === undefined || ofMergeRequests === undefined ? undefined : `${ofMergeRequests} and ${ofIssues}`
}

function isNamedFactOf(name: string, subject: Subject): boolean {
  const fact = factNamed(name)
  return fact === undefined || isFactOf(fact, subject)
}
