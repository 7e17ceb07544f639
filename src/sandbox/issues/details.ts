// What a request says of an issue's labels, assignee and milestone, as fields of the record; unfit ones are left out as real installations do.
import { canSeeProject } from '../access.ts'
import { readLabels } from '../merge-requests/labels.ts'
import type { Project } from '../records.ts'
import type { World } from '../world.ts'
import type { IssuePatch } from './update.ts'

export interface GivenDetails {
  labels?: string | undefined
  assignee_id?: number | '' | undefined
  milestone_id?: number | '' | undefined
}

/** 0 and the empty string clear a field. */
export function detailsOf(world: World, project: Project, given: GivenDetails): IssuePatch {
  return {
    ...(given.labels !== undefined && { labels: readLabels(given.labels) }),
    ...assigneeOf(world, project, given.assignee_id),
    ...(given.milestone_id !== undefined && { milestone_id: milestoneOf(world, project, given.milestone_id) }),
  }
}

/** Somebody who cannot see the project changes nothing. */
function assigneeOf(world: World, project: Project, id: number | '' | undefined): IssuePatch {
  if (id === undefined) return {}
  if (id === 0 || id === '') return { assignee_id: null }
  const user = world.users.get(id)
  return user !== undefined && canSeeProject(world, user, project) ? { assignee_id: id } : {}
}

/** A milestone of another project is none. */
function milestoneOf(world: World, project: Project, id: number | ''): number | null {
  const milestone = id ? world.milestones.get(id) : undefined
  return milestone?.project_id === project.id ? milestone.id : null
}
