// Filters and sorts records by the parameters of a list.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { isDate } from '../access/expiry.ts'
import { badParameter } from '../http/error-response.ts'
import { splitLabels } from '../merge-requests/labels.ts'
import type { World } from '../storage/world.ts'
import { sortBy } from './fields.ts'
import type { IssueRecord, MergeRequest, User } from './records.ts'

/** The records that pass the test of every parameter that is given; cheap tests come first. */
export function filtered<T, F extends object>(
  records: readonly T[],
  given: F,
  tests: { readonly [K in keyof F]?: (record: T, value: NonNullable<F[K]>) => boolean },
): T[] {
  const names = (Object.keys(tests) as (keyof F)[]).filter((name) => given[name] !== undefined)
  return records.filter((record) =>
    names.every((name) => tests[name]?.(record, given[name] as NonNullable<F[keyof F]>) === true),
  )
}

/** Ignores case. */
export function contains(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase())
}

type Filters<Listed> = Omit<Listed, 'id' | 'page' | 'per_page'>
type IssueFilters = Filters<CheckedParams<Api['issues']['list']>>
type MergeRequestFilters = Filters<CheckedParams<Api['mergeRequests']['list']>>

/** `all` is in order of id. Throws 400 for what is no time. */
export function filterMergeRequests(
  world: World,
  caller: User,
  all: readonly MergeRequest[],
  filters: MergeRequestFilters,
): MergeRequest[] {
  const ofBranches = filtered(all, withoutEmpty(filters), {
    source_branch: (mr, branch) => mr.source_branch === branch,
    target_branch: (mr, branch) => mr.target_branch === branch,
    reviewer_username: (mr, name) =>
      mr.reviewer_ids.includes(world.users.first('username', name.toLowerCase())?.id ?? 0),
  })
  return filterWork(world, caller, 'MergeRequest', ofBranches, filters)
}

/** As filterMergeRequests. A scope overrides author_id and assignee_id; `created_by_me` needs a caller. */
export function filterWork<T extends IssueRecord | MergeRequest>(
  world: World,
  caller: User | null,
  type: 'Issue' | 'MergeRequest',
  all: readonly T[],
  filters: IssueFilters | MergeRequestFilters,
): T[] {
  const scope = filters.scope.replaceAll('-', '_')
  const own = caller?.id ?? -1
  const wanted = {
    ...withoutEmpty(filters),
    ...(scope === 'created_by_me' && { author_id: own }),
    ...(scope === 'assigned_to_me' && { assignee_id: own }),
    created_after: timeOf('created_after', filters.created_after),
    created_before: timeOf('created_before', filters.created_before),
  }
  const found = filtered(all, wanted, {
    state: (work, state) => state === 'all' || work.state === state,
    author_id: (work, id) => work.author_id === id,
    assignee_id: passesAssignee,
    iids: (work, iids) => iids.includes(work.iid),
    labels: passesLabels,
    milestone: (work, title) => passesMilestone(world, work, title),
    // Times have one format, so their texts sort.
    created_after: (work, time) => work.created_at >= time,
    created_before: (work, time) => work.created_at <= time,
    my_reaction_emoji: (work, emoji) =>
      world.awards.where('noteable', `${type}:${work.id}`).some((each) => each.user_id === own && each.name === emoji),
    search: ({ title, description }, text) => contains(title, text) || contains(description, text),
  })
  return sortBy(found, filters.sort, (work) => work[filters.order_by])
}

/** Empty texts do not filter. */
function withoutEmpty<F extends object>(filters: F): F {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== '')) as F
}

type Work = IssueRecord | MergeRequest

/** 0 is nobody. */
function passesAssignee({ assignee_ids }: Work, wanted: NonNullable<IssueFilters['assignee_id']>): boolean {
  if (typeof wanted === 'number' && wanted !== 0) return assignee_ids.includes(wanted)
  return assignee_ids.length > 0 === (String(wanted).toLowerCase() === 'any')
}

function passesLabels({ labels }: Work, text: string): boolean {
  if (text.toLowerCase() === 'none') return labels.length === 0
  if (text.toLowerCase() === 'any') return labels.length > 0
  return splitLabels(text).every((label) => labels.includes(label))
}

function passesMilestone(world: World, { milestone_id }: Work, title: string): boolean {
  if (title.toLowerCase() === 'none') return milestone_id === null
  if (title.toLowerCase() === 'any') return milestone_id !== null
  return world.milestones.get(milestone_id)?.title === title
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
