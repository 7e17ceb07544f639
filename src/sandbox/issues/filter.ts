// Filters issues, as in GitLab.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { timeOf } from '../merge-requests/filter.ts'
import { splitLabels } from '../merge-requests/labels.ts'
import { assigneesOf } from '../merge-requests/preconditions.ts'
import { sortBy } from '../records/fields.ts'
import type { IssueRecord, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'

type IssueFilters = Omit<CheckedParams<Api['issues']['list']>, 'id' | 'page' | 'per_page'>
type Condition = (issue: IssueRecord) => boolean

/** `all` is in order of id. A scope of one's own leaves nothing to nobody. Throws 400 for what is no time. */
export function filterIssues(
  world: World,
  caller: User | null,
  all: readonly IssueRecord[],
  filters: IssueFilters,
): IssueRecord[] {
  const conditions = [
    ...ofFields(filters),
    ...ofTimes(filters),
    ...ofPeople(world, caller, filters),
    labelTest(filters.labels ?? ''),
    milestoneTest(world, filters.milestone ?? ''),
  ]
  const found = all.filter((issue) => conditions.every((matches) => matches(issue)))
  // Those without a date come last in ascending order.
  return sortBy(found, filters.sort, (issue) => issue[filters.order_by] ?? '9999-12-31')
}

function ofFields({ iids, state, confidential, issue_type, search = '' }: IssueFilters): Condition[] {
  const conditions: Condition[] = []
  if (state !== 'all') conditions.push((issue) => issue.state === state)
  if (iids !== undefined) conditions.push((issue) => iids.includes(issue.iid))
  if (confidential !== undefined) conditions.push((issue) => (issue.confidential === true) === confidential)
  if (issue_type !== undefined) conditions.push((issue) => (issue.issue_type ?? 'issue') === issue_type)
  const text = search.toLowerCase()
  if (text !== '')
    conditions.push(
      ({ title, description }) => title.toLowerCase().includes(text) || description.toLowerCase().includes(text),
    )
  return conditions
}

function ofTimes(filters: IssueFilters): Condition[] {
  return (['created', 'updated'] as const).flatMap((what) => {
    const after = timeOf(`${what}_after`, filters[`${what}_after`])
    const before = timeOf(`${what}_before`, filters[`${what}_before`])
    return [
      (issue: IssueRecord) => after === undefined || issue[`${what}_at`] >= after,
      (issue: IssueRecord) => before === undefined || issue[`${what}_at`] <= before,
    ]
  })
}

/** A scope wins over author_id and assignee_id. 0 is nobody. */
function ofPeople(world: World, caller: User | null, filters: IssueFilters): Condition[] {
  const { author_username, assignee_username, my_reaction_emoji } = filters
  const scope = filters.scope.replaceAll('-', '_')
  const own = caller?.id ?? 0
  const userNamed = (name: string) => world.users.first('username', name.toLowerCase())?.id
  const conditions: Condition[] = []
  const author = scope === 'created_by_me' ? own : filters.author_id
  if (author !== undefined) conditions.push((issue) => issue.author_id === author)
  if (author_username) conditions.push((issue) => issue.author_id === userNamed(author_username))
  if (scope === 'assigned_to_me') conditions.push((issue) => assigneesOf(issue).includes(own))
  else conditions.push(assigneeTest(filters.assignee_id))
  for (const name of assignee_username ?? [])
    conditions.push((issue) => assigneesOf(issue).some((id) => id === userNamed(name)))
  if (my_reaction_emoji)
    conditions.push((issue) =>
      world.awards
        .where('noteable', `Issue:${issue.id}`)
        .some(({ user_id, name }) => user_id === own && name === my_reaction_emoji),
    )
  return conditions
}

function assigneeTest(wanted: IssueFilters['assignee_id']): Condition {
  if (wanted === undefined) return () => true
  if (typeof wanted === 'number' && wanted > 0) return (issue) => assigneesOf(issue).includes(wanted)
  const isAny = String(wanted).toLowerCase() === 'any'
  return (issue) => assigneesOf(issue).length > 0 === isAny
}

function labelTest(text: string): Condition {
  if (text.toLowerCase() === 'none') return (issue) => issue.labels.length === 0
  if (text.toLowerCase() === 'any') return (issue) => issue.labels.length > 0
  const wanted = splitLabels(text)
  return (issue) => wanted.every((label) => issue.labels.includes(label))
}

function milestoneTest(world: World, title: string): Condition {
  if (title === '') return () => true
  if (title.toLowerCase() === 'none') return (issue) => issue.milestone_id === null
  if (title.toLowerCase() === 'any') return (issue) => issue.milestone_id !== null
  return (issue) => issue.milestone_id !== null && world.milestones.get(issue.milestone_id)?.title === title
}
