// Moves a project into a group (api-v4.md §4.1).
import { isPathTaken } from '../access/namespaces.ts'
import { isMoreVisible } from '../access/visibility.ts'
import { invalid } from '../http/error-response.ts'
import type { Group, Project } from '../records/records.ts'
import { now, type World } from '../storage/world.ts'

/** Reduces the project's visibility to the group's, as in GitLab. */
export function transferProject(world: World, project: Project, group: Group): Project {
  if (project.namespace_id === group.id) throw invalid('namespace', 'is the one that the project is in already')
  const path_with_namespace = `${group.full_path}/${project.path}`
  if (isPathTaken(world, path_with_namespace)) throw invalid('path', 'has already been taken')
  const others = world.projects.where('namespace', group.id)
  if (others.some(({ name }) => name === project.name)) throw invalid('name', 'has already been taken')
  const visibility = isMoreVisible(project.visibility, group.visibility) ? group.visibility : project.visibility
  return world.projects.update(project.id, {
    namespace_id: group.id,
    path_with_namespace,
    visibility,
    updated_at: now(world),
  })
}
