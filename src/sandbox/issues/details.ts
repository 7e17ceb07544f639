// Labels, assignee and milestone of an issue from parameters; invalid ones are ignored, as in GitLab.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { canSeeProject } from '../access/access.ts'
import { readLabels } from '../merge-requests/labels.ts'
import type { Project } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { milestoneFor } from './milestones.ts'
import type { IssuePatch } from './update.ts'

type IssueDetails = Pick<CheckedParams<Api['issues']['update']>, 'labels' | 'assignee_id' | 'milestone_id'>

/** 0 and the empty string clear a field. */
export function detailsOf(world: World, project: Project, given: IssueDetails): IssuePatch {
  return {
    ...(given.labels !== undefined && { labels: readLabels(given.labels) }),
    ...assigneeOf(world, project, given.assignee_id),
    ...(given.milestone_id !== undefined && { milestone_id: milestoneOf(world, project, given.milestone_id) }),
  }
}

/** Users who cannot see the project are ignored. */
function assigneeOf(world: World, project: Project, id: number | '' | undefined): IssuePatch {
  if (id === undefined) return {}
  if (id === 0 || id === '') return { assignee_id: null }
  const user = world.users.get(id)
  return user !== undefined && canSeeProject(world, user, project) ? { assignee_id: id } : {}
}

function milestoneOf(world: World, project: Project, id: number | ''): number | null {
  return (id ? milestoneFor(world, project, id)?.id : undefined) ?? null
}
