// List filters of merge requests (api-v4.md §4.2).
import type { MergeRequest } from '../records.ts'
import { badParameter } from '../refusal.ts'
import { splitLabels } from './labels.ts'

export interface Filters {
  iids?: number[] | undefined
  state: 'opened' | 'closed' | 'merged' | 'all'
  order_by: 'created_at' | 'updated_at'
  sort: 'asc' | 'desc'
  labels?: string | undefined
  author_id?: number | undefined
  assignee_id?: number | undefined
  created_after?: string | undefined
  created_before?: string | undefined
  search?: string | undefined
  source_branch?: string | undefined
  target_branch?: string | undefined
}

/** What the filters leave, in the order that they ask for. */
export function filterMergeRequests(all: readonly MergeRequest[], filters: Filters): MergeRequest[] {
  const after = timeOf('created_after', filters.created_after) ?? Number.NEGATIVE_INFINITY
  const before = timeOf('created_before', filters.created_before) ?? Number.POSITIVE_INFINITY
  const labels = splitLabels(filters.labels ?? '')
  const search = filters.search?.toLowerCase() ?? ''
  const direction = filters.sort === 'asc' ? 1 : -1
  return all
    .filter((mr) => filters.iids === undefined || filters.iids.includes(mr.iid))
    .filter((mr) => filters.state === 'all' || mr.state === filters.state)
    .filter((mr) => labels.every((label) => mr.labels.includes(label)))
    .filter((mr) => filters.author_id === undefined || mr.author_id === filters.author_id)
    .filter((mr) => filters.assignee_id === undefined || (mr.assignee_id ?? 0) === filters.assignee_id)
    .filter((mr) => filters.source_branch === undefined || mr.source_branch === filters.source_branch)
    .filter((mr) => filters.target_branch === undefined || mr.target_branch === filters.target_branch)
    .filter((mr) => Date.parse(mr.created_at) >= after && Date.parse(mr.created_at) <= before)
    .filter((mr) => mr.title.toLowerCase().includes(search) || mr.description.toLowerCase().includes(search))
    .sort((a, b) => direction * (Date.parse(a[filters.order_by]) - Date.parse(b[filters.order_by]) || a.id - b.id))
}

function timeOf(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const time = Date.parse(text)
  if (Number.isNaN(time)) throw badParameter(`${name} is invalid`)
  return time
}
