// List filters of issues, as in real installations.
import { splitLabels } from '../merge-requests/labels.ts'
import type { Issue } from '../records.ts'
import type { World } from '../world.ts'

export interface IssueFilters {
  iids?: readonly number[] | undefined
  state: 'opened' | 'closed' | 'all'
  /** All of them; `None` and `Any` stand for no label and for any. */
  labels?: string | undefined
  /** A title; `None` and `Any` stand for no milestone and for any. */
  milestone?: string | undefined
  search?: string | undefined
  order_by: 'created_at' | 'updated_at'
  sort: 'asc' | 'desc'
}

/** What the filters leave, in the order that they ask for. */
export function filterIssues(world: World, all: readonly Issue[], filters: IssueFilters): Issue[] {
  const search = filters.search?.toLowerCase() ?? ''
  const direction = filters.sort === 'asc' ? 1 : -1
  const hasLabels = labelTest(filters.labels ?? '')
  const hasMilestone = milestoneTest(world, filters.milestone ?? '')
  return all
    .filter((issue) => filters.iids === undefined || filters.iids.includes(issue.iid))
    .filter((issue) => filters.state === 'all' || issue.state === filters.state)
    .filter(hasLabels)
    .filter(hasMilestone)
    .filter((issue) => issue.title.toLowerCase().includes(search) || issue.description.toLowerCase().includes(search))
    .sort((a, b) => direction * (Date.parse(a[filters.order_by]) - Date.parse(b[filters.order_by]) || a.id - b.id))
}

function labelTest(text: string): (issue: Issue) => boolean {
  if (text.toLowerCase() === 'none') return (issue) => issue.labels.length === 0
  if (text.toLowerCase() === 'any') return (issue) => issue.labels.length > 0
  const wanted = splitLabels(text)
  return (issue) => wanted.every((label) => issue.labels.includes(label))
}

function milestoneTest(world: World, title: string): (issue: Issue) => boolean {
  if (title === '') return () => true
  if (title.toLowerCase() === 'none') return (issue) => issue.milestone_id === null
  if (title.toLowerCase() === 'any') return (issue) => issue.milestone_id !== null
  return (issue) => issue.milestone_id !== null && world.milestones.get(issue.milestone_id)?.title === title
}
