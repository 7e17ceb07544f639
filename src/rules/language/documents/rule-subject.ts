// What a rule acts on: merge requests, issues, or the project; never on two of them.
import type { Action } from '../../actions/definition/action.ts'
import { isActionOf } from '../../actions/definition/action-subject.ts'
import { actionNamed, actions } from '../../actions/index.ts'
import { isFactOf } from '../../facts/definition/fact.ts'
import { factNamed } from '../../facts/index.ts'
import { factsIn } from '../conditions.ts'
import { isEventOf } from '../events.ts'
import type { Condition, EventFilter, RuleAction, Subject } from '../values/rule-types.ts'
import { choice, type Issue, isMap, type Path } from '../values/shapes.ts'

/** The values of `for:`. */
export const forShape = choice(['merge_requests', 'issues'])

/** The parts of a rule that were read. */
interface Parts {
  path: Path
  value: Record<string, unknown>
  actions: readonly RuleAction[]
  on: readonly EventFilter[] | undefined
  command: string | undefined
  condition: Condition | undefined
}

const WORDS: Record<Subject, { one: string; facts: string; because(action: string): string }> = {
  merge_request: {
    one: 'a merge request',
    facts: 'facts of merge requests',
    because: () => 'the rule is for merge requests',
  },
  issue: {
    one: 'an issue',
    facts: 'facts of issues',
    because: () => 'the rule is for issues',
  },
  project: {
    one: 'the project',
    facts: 'facts of the event, the project or the clock',
    because: (action) => `${action} is done to the project`,
  },
}

/** What `for:` says; a rule that says nothing may also act on the project. */
export const namedSubject = (value: Record<string, unknown>): Exclude<Subject, 'project'> =>
  value.for === 'issues' ? 'issue' : 'merge_request'

/** What the rule acts on; adds an issue if its actions, events and conditions do not fit together. */
export function subjectOfRule(parts: Parts, issues: Issue[]): Subject {
  const { path, value, actions: requested } = parts
  const issue = (at: Path, expected: string, found: string) =>
    issues.push({ path: [...path, ...at], at: 'key', expected, found })
  const [ofProject] = requested.filter(({ action }) => actionNamed(action)?.ofProject === true)
  const [other] = requested.filter(({ action }) => actionNamed(action)?.ofProject !== true)
  const named = namedSubject(value)
  const subject = ofProject === undefined ? named : 'project'
  if (ofProject !== undefined && other !== undefined)
    issue(
      ['then', ofProject.action],
      'a rule of its own for what is done to the project',
      `${ofProject.action} next to ${other.action}, which is done to ${WORDS[named].one}`,
    )
  else if (ofProject !== undefined && Object.hasOwn(value, 'for'))
    issue(['for'], `a rule without for:, because ${ofProject.action} is done to the project`, 'for')
  else refuseForeignParts(subject, parts, issue)
  return subject
}

type AddIssue = (at: Path, expected: string, found: string) => void

/** Actions, events, commands and facts that what the rule acts on does not have. */
function refuseForeignParts(
  subject: Subject,
  { value, actions: requested, on = [], command, condition }: Parts,
  issue: AddIssue,
): void {
  const { facts, because } = WORDS[subject]
  const [first] = requested
  const action = requested.find((each) => !isActionOf(actionNamed(each.action) ?? {}, subject))
  const event = on.find(({ kind }) => !isEventOf(kind, subject))
  if (action !== undefined)
    issue(['then', action.action], `what is done to ${WORDS[subject].one}, because ${because('')}`, action.action)
  else if (event !== undefined && subject === 'merge_request' && first !== undefined)
    issue(
      ['then', first.action],
      `what is done to the project (${projectActions.join(', ')}), because ${event.kind} is about no merge request`,
      first.action,
    )
  else if (event !== undefined && subject === 'issue')
    issue(['on'], 'events of issues: issue.*, note.*, emoji.*', event.kind)
  if (subject === 'project' && command !== undefined)
    issue(
      ['command'],
      'on: with an event, because a command is in a note on a merge request or an issue',
      `a command for ${first?.action ?? 'it'}`,
    )
  const foreign = condition === undefined ? undefined : factsIn(condition).find((name) => !isNamedFactOf(name, subject))
  if (foreign === undefined) return
  const own = isMap(value.if) && Object.hasOwn(value.if, foreign) ? [foreign] : []
  const owner = factNamed(foreign)?.ofIssues === 'only' ? 'an issue' : 'a merge request'
  issue(['if', ...own], `${facts}, because ${because(first?.action ?? '')}`, `${foreign}, which is of ${owner}`)
}

/** Why no rule can use the condition: it has facts of merge requests and facts of issues. Undefined where one can. */
export function mixedFacts(condition: Condition): string | undefined {
  const named = factsIn(condition)
  const foreign = (subject: Subject) => named.find((name) => !isNamedFactOf(name, subject))
  const [ofIssues, ofMergeRequests] = [foreign('merge_request'), foreign('issue')]
  return ofIssues === undefined || ofMergeRequests === undefined ? undefined : `${ofMergeRequests} and ${ofIssues}`
}

const projectActions = Object.values<Action>(actions).flatMap(({ name, ofProject }) =>
  ofProject === true ? [name] : [],
)

function isNamedFactOf(name: string, subject: Subject): boolean {
  const fact = factNamed(name)
  return fact === undefined || isFactOf(fact, subject)
}
