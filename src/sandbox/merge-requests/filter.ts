// Filters merge requests in one pass over the records (api-v4.md §4.2).
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { isDate } from '../access/expiry.ts'
import { badParameter } from '../http/error-response.ts'
import { sortBy } from '../records/fields.ts'
import type { MergeRequest, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { splitLabels } from './labels.ts'
import { assigneesOf } from './preconditions.ts'

/** An empty text filters nothing. */
type MergeRequestFilters = Omit<CheckedParams<Api['mergeRequests']['list']>, 'id' | 'page' | 'per_page'>
type Condition = (mr: MergeRequest) => boolean

/** `some` is in order of id. */
export function filterMergeRequests(
  world: World,
  caller: User,
  some: readonly MergeRequest[],
  filters: MergeRequestFilters,
): MergeRequest[] {
  const conditions = conditionsOf(world, caller, filters)
  const found = some.filter((mr) => conditions.every((matches) => matches(mr)))
  // Times have one format, so their texts sort.
  return sortBy(found, filters.sort, (mr) => mr[filters.order_by])
}

/** Cheap ones first. */
function conditionsOf(world: World, caller: User, filters: MergeRequestFilters): Condition[] {
  const { state, iids, source_branch, target_branch, milestone, my_reaction_emoji } = filters
  // A scope wins over author_id and assignee_id. 0 is nobody.
  const { scope } = filters
  const author = scope === 'created-by-me' || scope === 'created_by_me' ? caller.id : filters.author_id
  const assignee = scope === 'assigned-to-me' || scope === 'assigned_to_me' ? caller.id : filters.assignee_id
  const conditions: Condition[] = []
  if (state !== 'all') conditions.push((mr) => mr.state === state)
  if (author !== undefined) conditions.push((mr) => mr.author_id === author)
  if (assignee !== undefined)
    conditions.push((mr) => (assignee === 0 ? mr.assignee_id === null : assigneesOf(mr).includes(assignee)))
  if (filters.reviewer_username) {
    const reviewer = world.users.first('username', filters.reviewer_username.toLowerCase())
    conditions.push((mr) => reviewer !== undefined && mr.reviewer_ids.includes(reviewer.id))
  }
  if (iids !== undefined) {
    const wanted = new Set(iids)
    conditions.push((mr) => wanted.has(mr.iid))
  }
  if (source_branch) conditions.push((mr) => mr.source_branch === source_branch)
  if (target_branch) conditions.push((mr) => mr.target_branch === target_branch)
  const labels = splitLabels(filters.labels ?? '')
  if (labels.length > 0) conditions.push((mr) => labels.every((label) => mr.labels.includes(label)))
  if (milestone)
    conditions.push((mr) => mr.milestone_id !== null && world.milestones.get(mr.milestone_id)?.title === milestone)
  const after = timeOf('created_after', filters.created_after)
  if (after !== undefined) conditions.push((mr) => mr.created_at >= after)
  const before = timeOf('created_before', filters.created_before)
  if (before !== undefined) conditions.push((mr) => mr.created_at <= before)
  if (my_reaction_emoji) {
    const isIt = (award: { user_id: number; name: string }) =>
      award.user_id === caller.id && award.name === my_reaction_emoji
    conditions.push((mr) => world.awards.where('noteable', `MergeRequest:${mr.id}`).some(isIt))
  }
  const search = filters.search?.toLowerCase() ?? ''
  if (search !== '')
    conditions.push((mr) => mr.title.toLowerCase().includes(search) || mr.description.toLowerCase().includes(search))
  return conditions
}

/** Later years have five digits, whose texts do not sort. */
const endOfYears = Date.UTC(10_000, 0, 1)

/** In the format of the records; undefined for none. Throws 400 for what is no time. */
export function timeOf(name: string, text: string | undefined) {
  if (text === undefined || text === '') return undefined
  const time = Date.parse(text)
  if (Number.isNaN(time) || !isDate(text.slice(0, 10))) throw badParameter(`${name} is invalid`)
  return new Date(Math.min(time, endOfYears - 1)).toISOString()
}
