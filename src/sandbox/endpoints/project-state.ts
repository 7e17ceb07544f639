// Stars, archiving, uploads and mirroring of a project.
import type { Api } from '../../api/index.ts'
import {
  findProject,
  findProjectFor,
  findProjectToChange,
  maintainer,
  owner,
  refuseArchived,
} from '../access/access.ts'
import { collectGarbage } from '../git/repository.ts'
import { refuse } from '../http/error-response.ts'
import type { Handlers } from '../http/handler.ts'
import { requirePremium } from '../installation.ts'
import { startFetch } from '../projects/fetch.ts'
import { storeUpload } from '../projects/files.ts'
import { showSingleProject } from '../projects/show-project.ts'
import type { Project, Star, User } from '../records/records.ts'
import { nextNumber, now, projectById, type World } from '../storage/world.ts'

export const projectState = {
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

  async upload({ params, caller, world }) {
    const project = findProject(world, caller, params.id)
    refuseArchived(project)
    return storeUpload(world, project.id, params.file)
  },

  /** Allowed in archived projects: nothing visible changes. */
  async housekeeping({ params, caller, world }) {
    await collectGarbage(world, findProjectFor(world, caller, params.id, maintainer).id)
    return { message: '201 Created' }
  },

  mirrorPull({ params, caller, world }) {
    requirePremium(world)
    const project = findProjectToChange(world, caller, params.id, maintainer)
    if (project.import_url === null) throw refuse(400, 'The project is not mirrored')
    startFetch(world, project, { pusher: caller.id })
    return { message: '200 OK' }
  },
} satisfies Partial<Handlers<Api['projects']>>

function findStar(world: World, user: User, project: Project): Star | undefined {
  return world.stars.where('user', user.id).find((star) => star.project_id === project.id)
}

function setArchived(
  world: World,
  caller: User,
  id: number | string,
  archived: boolean,
): ReturnType<typeof showSingleProject> {
  const project = findProjectFor(world, caller, id, owner)
  if (project.archived !== archived) world.projects.update(project.id, { archived, updated_at: now(world) })
  return showSingleProject(world, projectById(world, project.id), caller)
}
