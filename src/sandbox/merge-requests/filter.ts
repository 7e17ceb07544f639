// List filters of merge requests (api-v4.md §4.2): one pass over the records, no git, whatever the number of other projects.
import type { MergeRequest, User } from '../records.ts'
import { badParameter } from '../refusal.ts'
import type { World } from '../world.ts'
import { splitLabels } from './labels.ts'

/** An empty text filters nothing. */
export interface Filters {
  scope: 'created-by-me' | 'assigned-to-me' | 'all' | 'created_by_me' | 'assigned_to_me'
  iids?: number[] | undefined
  state: 'opened' | 'closed' | 'merged' | 'all'
  order_by: 'created_at' | 'updated_at'
  sort: 'asc' | 'desc'
  milestone?: string | undefined
  labels?: string | undefined
  author_id?: number | undefined
  assignee_id?: number | undefined
  my_reaction_emoji?: string | undefined
  created_after?: string | undefined
  created_before?: string | undefined
  search?: string | undefined
  source_branch?: string | undefined
  target_branch?: string | undefined
}
type Condition = (mr: MergeRequest) => boolean

/** Whose merge requests are wanted; the caller of a scope comes before `author_id` and `assignee_id`. 0 is nobody. */
export interface Wanted {
  author?: number
  assignee?: number
}

export function wantedPeople(caller: User, { scope, author_id, assignee_id }: Filters): Wanted {
  const author = scope === 'created-by-me' || scope === 'created_by_me' ? caller.id : author_id
  const assignee = scope === 'assigned-to-me' || scope === 'assigned_to_me' ? caller.id : assignee_id
  return { ...(author !== undefined && { author }), ...(assignee !== undefined && { assignee }) }
}

/** The fewest records that hold all that a person wrote or is assigned to. */
export function mergeRequestsOf(world: World, { author, assignee }: Wanted): readonly MergeRequest[] {
  const ofAuthor = author === undefined ? undefined : world.mergeRequests.where('author', author)
  const ofAssignee = assignee === undefined ? undefined : world.mergeRequests.where('assignee', assignee)
  if (ofAuthor === undefined) return ofAssignee ?? world.mergeRequests.all()
  return ofAssignee !== undefined && ofAssignee.length < ofAuthor.length ? ofAssignee : ofAuthor
}

/** What the filters leave of some merge requests in order of id, in the order that they ask for. */
export function filterMergeRequests(world: World, caller: User, some: readonly MergeRequest[], filters: Filters): MergeRequest[] {
  const conditions = conditionsOf(world, caller, filters)
  const found = some.filter((mr) => conditions.every((holds) => holds(mr)))
  const sorted = filters.order_by === 'created_at' ? found.sort(byCreation) : found.sort(byUpdate)
  return filters.sort === 'asc' ? sorted : sorted.reverse()
}

// Times are all written by the same clock in the same form: their texts sort as they do. What is equal stays in order of id.
const byCreation = (a: MergeRequest, b: MergeRequest): number => (a.created_at < b.created_at ? -1 : a.created_at > b.created_at ? 1 : 0)
const byUpdate = (a: MergeRequest, b: MergeRequest): number => (a.updated_at < b.updated_at ? -1 : a.updated_at > b.updated_at ? 1 : 0)

/** The filters that were given, the cheap ones first. */
function conditionsOf(world: World, caller: User, filters: Filters): Condition[] {
  const { state, iids, source_branch, target_branch, milestone, my_reaction_emoji } = filters
  const { author, assignee } = wantedPeople(caller, filters)
  const conditions: Condition[] = []
  if (state !== 'all') conditions.push((mr) => mr.state === state)
  if (author !== undefined) conditions.push((mr) => mr.author_id === author)
  if (assignee !== undefined) conditions.push((mr) => (mr.assignee_id ?? 0) === assignee)
  if (iids !== undefined) {
    const wanted = new Set(iids)
    conditions.push((mr) => wanted.has(mr.iid))
  }
  if (source_branch) conditions.push((mr) => mr.source_branch === source_branch)
  if (target_branch) conditions.push((mr) => mr.target_branch === target_branch)
  const labels = splitLabels(filters.labels ?? '')
  if (labels.length > 0) conditions.push((mr) => labels.every((label) => mr.labels.includes(label)))
  if (milestone) conditions.push((mr) => mr.milestone_id !== null && world.milestones.get(mr.milestone_id)?.title === milestone)
  const after = timeOf('created_after', filters.created_after)
  if (after !== undefined) conditions.push((mr) => mr.created_at >= after)
  const before = timeOf('created_before', filters.created_before)
  if (before !== undefined) conditions.push((mr) => mr.created_at <= before)
  if (my_reaction_emoji) {
    const isIt = (award: { user_id: number; name: string }): boolean => award.user_id === caller.id && award.name === my_reaction_emoji
    conditions.push((mr) => world.awards.where('mergeRequest', mr.id).some(isIt))
  }
  const search = filters.search?.toLowerCase() ?? ''
  if (search !== '') conditions.push((mr) => mr.title.toLowerCase().includes(search) || mr.description.toLowerCase().includes(search))
  return conditions
}

/** From here on years have more than four digits, and texts no longer sort as times do. */
const endOfYears = Date.UTC(10_000, 0, 1)

/** In the form of the records' own times, so that their texts compare. */
function timeOf(name: string, text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined
  const [day] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? []
  const time = day === undefined ? Number.NaN : Date.parse(text)
  // `2026-02-31` would be taken for a day in March.
  if (Number.isNaN(time) || new Date(`${day}T00:00:00Z`).toISOString().slice(0, 10) !== day) throw badParameter(`${name} is invalid`)
  return new Date(Math.min(time, endOfYears - 1)).toISOString()
}
