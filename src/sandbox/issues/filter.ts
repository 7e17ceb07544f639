// Filters issues, as in GitLab.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { splitLabels } from '../merge-requests/labels.ts'
import { sortBy } from '../records/fields.ts'
import type { IssueRecord } from '../records/records.ts'
import type { World } from '../storage/world.ts'

type IssueFilters = Omit<CheckedParams<Api['issues']['list']>, 'id' | 'page' | 'per_page'>

export function filterIssues(world: World, all: readonly IssueRecord[], filters: IssueFilters): IssueRecord[] {
  const search = filters.search?.toLowerCase() ?? ''
  const hasLabels = labelTest(filters.labels ?? '')
  const hasMilestone = milestoneTest(world, filters.milestone ?? '')
  const found = all
    .filter((issue) => filters.iids === undefined || filters.iids.includes(issue.iid))
    .filter((issue) => filters.state === 'all' || issue.state === filters.state)
    .filter(hasLabels)
    .filter(hasMilestone)
    .filter((issue) => issue.title.toLowerCase().includes(search) || issue.description.toLowerCase().includes(search))
  return sortBy(found, filters.sort, (issue) => issue[filters.order_by])
}

function labelTest(text: string): (issue: IssueRecord) => boolean {
  if (text.toLowerCase() === 'none') return (issue) => issue.labels.length === 0
  if (text.toLowerCase() === 'any') return (issue) => issue.labels.length > 0
  const wanted = splitLabels(text)
  return (issue) => wanted.every((label) => issue.labels.includes(label))
}

function milestoneTest(world: World, title: string): (issue: IssueRecord) => boolean {
  if (title === '') return () => true
  if (title.toLowerCase() === 'none') return (issue) => issue.milestone_id === null
  if (title.toLowerCase() === 'any') return (issue) => issue.milestone_id !== null
  return (issue) => issue.milestone_id !== null && world.milestones.get(issue.milestone_id)?.title === title
}
