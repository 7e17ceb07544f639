// Stars, archiving, uploads, mirroring, shares, forks, tokens and approval settings of a project.
import { randomBytes } from 'node:crypto'
import type { Api } from '../../api/index.ts'
import {
  findGroup,
  findProject,
  maintainer,
  owner,
  projectFor,
  projectLevel,
  projectToChange,
  readableProject,
  refuseArchived,
  visibleProject,
} from '../access/access.ts'
import { checkExpiry, hasEnded } from '../access/expiry.ts'
import { addMember, projectPlace } from '../access/members.ts'
import { lineage } from '../access/namespaces.ts'
import { addUser, expiryOf, makeToken, yearInDays } from '../access/tokens.ts'
import { collectGarbage } from '../git/repository.ts'
import { forbidden, notFound, orNotFound, refuse } from '../http/error-response.ts'
import { type Handlers, on, StatusResponse } from '../http/handler.ts'
import { premium } from '../installation.ts'
import { descendsFrom } from '../merge-requests/find.ts'
import { findNamespace } from '../projects/enter.ts'
import { storeUpload } from '../projects/files.ts'
import { forkProject, startFetch } from '../projects/fork.ts'
import { listProjects, showSingleProject } from '../projects/show-project.ts'
import { pick } from '../records/fields.ts'
import type { Project, ShareLink, Star, User } from '../records/records.ts'
import { nextNumber, now, projectById, type World } from '../storage/world.ts'

const approvalFields = ['approvals_before_merge', 'reset_approvals_on_push'] as const

export const projectState = {
  star: on(visibleProject, ({ project, caller, world }) => {
    if (findStar(world, caller, project) !== undefined) return null
    world.stars.add({ id: nextNumber(world, 'stars'), project_id: project.id, user_id: caller.id })
    return showSingleProject(world, project, caller)
  }),

  unstar: on(visibleProject, ({ project, caller, world }) => {
    const star = findStar(world, caller, project)
    if (star === undefined) return null
    world.stars.remove(star.id)
    return showSingleProject(world, project, caller)
  }),

  archive: on(projectFor(owner), ({ project, caller, world }) => setArchived(world, caller, project, true)),
  unarchive: on(projectFor(owner), ({ project, caller, world }) => setArchived(world, caller, project, false)),

  upload: on(visibleProject, async ({ project, params, world }) => {
    refuseArchived(project)
    return storeUpload(world, project.id, params.file)
  }),

  /** Allowed in archived projects: nothing visible changes. */
  housekeeping: on(projectFor(maintainer), async ({ project, world }) => {
    await collectGarbage(world, project.id)
    return { message: '201 Created' }
  }),

  mirrorPull: on(premium(projectToChange(maintainer)), ({ project, caller, world }) => {
    if (project.import_url === null) throw refuse(400, 'The project is not mirrored')
    startFetch(world, project, { pusher: caller.id })
    return { message: '200 OK' }
  }),

  share: on(projectToChange(maintainer), ({ project, params, caller, world }) => {
    const group = findGroup(world, caller, params.group_id)
    const { group_access } = params
    // Nobody grants more than they have.
    if (group_access > projectLevel(world, caller, project)) throw forbidden()
    const above = lineage(world, world.groups.get(project.namespace_id))
    if (above.some((each) => each.share_with_group_lock))
      throw refuse(403, '403 Forbidden - The project sharing with group is disabled')
    if (above.some((each) => each.id === group.id)) {
      throw refuse(409, 'Project cannot be shared with the group it is in or one of its ancestors.')
    }
    const expires_at = checkExpiry(params.expires_at)
    const link = findLink(world, project.id, group.id)
    if (link !== undefined && !hasEnded(link)) throw refuse(409, 'The project is already shared with this group')
    if (link !== undefined) world.shareLinks.remove(link.id)
    return world.shareLinks.add({
      id: nextNumber(world, 'shareLinks'),
      project_id: project.id,
      group_id: group.id,
      group_access,
      expires_at,
    })
  }),

  unshare: on(projectToChange(maintainer), ({ project, params, world }) => {
    const link = orNotFound(findLink(world, project.id, params.group_id), 'Group Link')
    world.shareLinks.remove(link.id)
    return null
  }),

  fork: on(readableProject, async ({ project, params, caller, world }) => {
    const namespace_id = orNotFound(findNamespace(world, caller, params.namespace), 'Target Namespace')
    return showSingleProject(world, await forkProject(world, project, { creator: caller, namespace_id }), caller)
  }),

  forks: on(visibleProject, ({ project, params, caller, world }) =>
    listProjects(world, caller, world.projects.where('forkedFrom', project.id), params),
  ),

  createForkRelation: on(visibleProject, ({ project, params, caller, world }) => {
    if (!caller.is_admin) throw forbidden()
    const source = findProject(world, caller, params.forked_from_id)
    if (project.forked_from_id !== null) throw refuse(409, 'Project already forked')
    if (source.id === project.id || descendsFrom(world, source, project))
      throw refuse(409, 'A project cannot be a fork of itself or of its own forks')
    return showSingleProject(world, world.projects.update(project.id, { forked_from_id: source.id }), caller)
  }),

  deleteForkRelation: on(visibleProject, ({ project, caller, world }) => {
    if (!caller.is_admin) throw forbidden()
    if (project.forked_from_id === null) return new StatusResponse(304, null)
    world.projects.update(project.id, { forked_from_id: null })
    return new StatusResponse(204, null)
  }),

  accessTokens: {
    create: on(projectToChange(maintainer), ({ project, params, caller, world }) => {
      const { name, scopes, access_level } = params
      if (access_level > projectLevel(world, caller, project)) throw forbidden()
      const expires_at = expiryOf(params.expires_at, yearInDays)
      const username = `project_${project.id}_bot_${randomBytes(16).toString('hex')}`
      const email = `${username}@noreply.localhost`
      const bot = { username, name, email, bot: true, is_admin: false, can_create_group: false }
      const { id: user_id } = addUser(world, bot)
      const token = makeToken(world, { user_id, name, scopes, expires_at, project_id: project.id })
      addMember(world, projectPlace(world, project), { user_id, access_level, expires_at })
      return { ...token, access_level }
    }),
  },

  approvalSettings: {
    get: on(premium(projectFor(maintainer), notFound), ({ project }) => pick(project, ...approvalFields)),

    update: on(premium(projectToChange(maintainer), notFound), ({ project, params, world }) => {
      const updated = world.projects.update(project.id, { ...pick(params, ...approvalFields), updated_at: now(world) })
      return pick(updated, ...approvalFields)
    }),
  },
} satisfies Partial<Handlers<Api['projects']>>

function findStar(world: World, user: User, project: Project): Star | undefined {
  return world.stars.where('user', user.id).find((star) => star.project_id === project.id)
}

function setArchived(world: World, caller: User, project: Project, archived: boolean) {
  if (project.archived !== archived) world.projects.update(project.id, { archived, updated_at: now(world) })
  return showSingleProject(world, projectById(world, project.id), caller)
}

function findLink(world: World, projectId: number, groupId: number): ShareLink | undefined {
  return world.shareLinks.where('project', projectId).find((link) => link.group_id === groupId)
}
