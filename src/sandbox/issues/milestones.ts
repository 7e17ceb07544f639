// The milestones that a project can use: its own, and those of the groups above it.
import { lineage } from '../access/namespaces.ts'
import type { Milestone, Project } from '../records/records.ts'
import type { World } from '../storage/world.ts'

/** In order of id for each owner, the project's own first. */
export function milestonesFor(world: World, project: Project): Milestone[] {
  const group = world.groups.get(project.namespace_id)
  const groups = group === undefined ? [] : lineage(world, group)
  return [
    ...world.milestones.where('project', project.id),
    ...groups.flatMap(({ id }) => world.milestones.where('group', id)),
  ]
}

/** Undefined where the project cannot use it. */
export function milestoneFor(world: World, project: Project, id: number): Milestone | undefined {
  return milestonesFor(world, project).find((milestone) => milestone.id === id)
}
