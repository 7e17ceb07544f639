// Filters and sorts lists of issues and merge requests.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { isDate } from '../access/expiry.ts'
import { badParameter } from '../http/error-response.ts'
import { splitLabels } from '../merge-requests/labels.ts'
import type { World } from '../storage/world.ts'
import { sortBy } from './fields.ts'
import type { IssueRecord, MergeRequest, User } from './records.ts'

type IssueFilters = Omit<CheckedParams<Api['issues']['list']>, 'id' | 'page' | 'per_page'>
type MergeRequestFilters = Omit<CheckedParams<Api['mergeRequests']['list']>, 'id' | 'page' | 'per_page'>
type Work = IssueRecord | MergeRequest
type Test<T> = (record: T) => boolean

/** `all` is in order of id. Throws 400 for what is no time. */
export function filterIssues(
  world: World,
  caller: User | null,
  all: readonly IssueRecord[],
  filters: IssueFilters,
): IssueRecord[] {
  const tests = commonTests(world, caller, 'Issue', filters)
  const found = all.filter((issue) => tests.every((test) => test(issue)))
  return sortBy(found, filters.sort, (issue) => issue[filters.order_by])
}

/** As filterIssues. */
export function filterMergeRequests(
  world: World,
  caller: User,
  all: readonly MergeRequest[],
  filters: MergeRequestFilters,
): MergeRequest[] {
  const tests: Test<MergeRequest>[] = [
    ...given(filters.source_branch, (branch) => (mr: MergeRequest) => mr.source_branch === branch),
    ...given(filters.target_branch, (branch) => (mr: MergeRequest) => mr.target_branch === branch),
    ...commonTests(world, caller, 'MergeRequest', filters),
    ...given(filters.reviewer_username?.toLowerCase(), (name) => (mr: MergeRequest) => {
      const reviewer = world.users.first('username', name)
      return reviewer !== undefined && mr.reviewer_ids.includes(reviewer.id)
    }),
  ]
  const found = all.filter((mr) => tests.every((test) => test(mr)))
  return sortBy(found, filters.sort, (mr) => mr[filters.order_by])
}

/** Cheap tests first. A scope overrides author_id and assignee_id; `created_by_me` matches nothing without a caller. */
function commonTests(
  world: World,
  caller: User | null,
  type: 'Issue' | 'MergeRequest',
  filters: Omit<MergeRequestFilters, 'order_by'> | Omit<IssueFilters, 'order_by'>,
): Test<Work>[] {
  const scope = filters.scope.replaceAll('-', '_')
  const own = caller?.id ?? -1
  return [
    ...given(filters.state === 'all' ? '' : filters.state, (state) => (work: Work) => work.state === state),
    ...given(scope === 'created_by_me' ? own : filters.author_id, (id) => (work: Work) => work.author_id === id),
    ...given(scope === 'assigned_to_me' ? own : filters.assignee_id, assigneeTest),
    ...given(filters.iids, (iids) => (work: Work) => iids.includes(work.iid)),
    ...given(filters.labels, labelTest),
    ...given(filters.milestone, (title) => milestoneTest(world, title)),
    // Times have one format, so their texts sort.
    ...given(timeOf('created_after', filters.created_after), (time) => (work: Work) => work.created_at >= time),
    ...given(timeOf('created_before', filters.created_before), (time) => (work: Work) => work.created_at <= time),
    ...given(
      filters.my_reaction_emoji,
      (emoji) => (work: Work) =>
        world.awards
          .where('noteable', `${type}:${work.id}`)
          .some((each) => each.user_id === own && each.name === emoji),
    ),
    ...given(
      filters.search?.toLowerCase(),
      (text) =>
        ({ title, description }: Work) =>
          title.toLowerCase().includes(text) || description.toLowerCase().includes(text),
    ),
  ]
}

/** Without a value, or with an empty text, there is nothing to test. */
function given<V, T>(value: V | undefined, testFor: (value: V) => Test<T>): Test<T>[] {
  return value === undefined || value === '' ? [] : [testFor(value)]
}

/** 0 is nobody. */
function assigneeTest(wanted: NonNullable<IssueFilters['assignee_id']>): Test<Work> {
  if (typeof wanted === 'number' && wanted !== 0) return (work) => work.assignee_ids.includes(wanted)
  const isAny = String(wanted).toLowerCase() === 'any'
  return (work) => work.assignee_ids.length > 0 === isAny
}

function labelTest(text: string): Test<Work> {
  if (text.toLowerCase() === 'none') return (work) => work.labels.length === 0
  if (text.toLowerCase() === 'any') return (work) => work.labels.length > 0
  const wanted = splitLabels(text)
  return (work) => wanted.every((label) => work.labels.includes(label))
}

function milestoneTest(world: World, title: string): Test<Work> {
  if (title.toLowerCase() === 'none') return (work) => work.milestone_id === null
  if (title.toLowerCase() === 'any') return (work) => work.milestone_id !== null
  return (work) => work.milestone_id !== null && world.milestones.get(work.milestone_id)?.title === title
}

/** Later years have five digits, whose texts do not sort. */
const endOfYears = Date.UTC(10_000, 0, 1)

/** In the format of the records; undefined for none. Throws 400 for what is no time. */
function timeOf(name: string, text: string | undefined) {
  if (text === undefined || text === '') return undefined
  const time = Date.parse(text)
  if (Number.isNaN(time) || !isDate(text.slice(0, 10))) throw badParameter(`${name} is invalid`)
  return new Date(Math.min(time, endOfYears - 1)).toISOString()
}
