// A group with its projects and shares.
import type { z } from 'zod'
import type { groupDetails, groupWithProjects } from '../../api/schemas/group.ts'
import { canSeeProject } from '../access/access.ts'
import { hasEnded } from '../access/expiry.ts'
import { showProject } from '../projects/show-project.ts'
import type { Group, Project, User } from '../records/records.ts'
import { showGroup } from '../records/show-records.ts'
import type { World } from '../storage/world.ts'

/** After an update, projects also show `public`. */
export function showUpdatedGroup(world: World, group: Group, caller: User): z.output<typeof groupWithProjects> {
  const projects = visibleOf(world, caller, ownProjects(world, group))
  return {
    ...showGroup(world, group),
    projects: projects.map((project) => ({
      ...showProject(world, project, caller),
      public: project.visibility === 'public',
    })),
  }
}

export function showGroupDetails(world: World, group: Group, caller: User | null): z.output<typeof groupDetails> {
  const show = (projects: readonly Project[]) =>
    visibleOf(world, caller, projects).map((project) => showProject(world, project, caller))
  return {
    ...showGroup(world, group),
    projects: show(ownProjects(world, group)),
    shared_projects: show(sharedProjects(world, group)),
    shared_runners_minutes_limit: group.shared_runners_minutes_limit ?? 0,
  }
}

function ownProjects(world: World, group: Group): readonly Project[] {
  return world.projects.where('namespace', group.id)
}

function sharedProjects(world: World, group: Group): Project[] {
  const links = world.shareLinks.where('group', group.id).filter((link) => !hasEnded(link))
  return links.map((link) => world.projects.get(link.project_id)).filter((project) => project !== undefined)
}

function visibleOf(world: World, caller: User | null, projects: readonly Project[]): Project[] {
  return projects.filter((project) => canSeeProject(world, caller, project)).sort((a, b) => b.id - a.id)
}
