// Stars and archiving (api-v4.md §3.2, §3.3).
import type { Api } from '../../api/index.ts'
import { findProject, findProjectFor, owner } from '../access.ts'
import type { Handlers } from '../handler.ts'
import type { Project, Star, User } from '../records.ts'
import { showSingleProject } from '../show-project.ts'
import { nextNumber, now, projectById, type World } from '../world.ts'

export const projectState: Handlers<Pick<Api['projects'], 'star' | 'unstar' | 'archive' | 'unarchive'>> = {
  star({ params, caller, world }) {
    const project = findProject(world, caller, params.id)
    if (findStar(world, caller, project) !== undefined) return null
    world.stars.add({ id: nextNumber(world, 'stars'), project_id: project.id, user_id: caller.id })
    return showSingleProject(world, project, caller)
  },

  unstar({ params, caller, world }) {
    const project = findProject(world, caller, params.id)
    const star = findStar(world, caller, project)
    if (star === undefined) return null
    world.stars.remove(star.id)
    return showSingleProject(world, project, caller)
  },

  archive: ({ params, caller, world }) => setArchived(world, caller, params.id, true),
  unarchive: ({ params, caller, world }) => setArchived(world, caller, params.id, false),
}

function findStar(world: World, user: User, project: Project): Star | undefined {
  return world.stars.where('user', user.id).find((star) => star.project_id === project.id)
}

function setArchived(world: World, caller: User, id: number | string, archived: boolean): ReturnType<typeof showSingleProject> {
  const project = findProjectFor(world, caller, id, owner)
  if (project.archived !== archived) world.projects.update(project.id, { archived, updated_at: now(world) })
  return showSingleProject(world, projectById(world, project.id), caller)
}
