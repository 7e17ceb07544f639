// Projects.
import type { Api } from '../../api/index.ts'
import { findProject, findProjectFor, findProjectToChange, maintainer, memberLevelIn, owner } from '../access/access.ts'
import { forbidden, notFound } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { removeProject } from '../projects/remove.ts'
import { listProjects } from '../projects/select.ts'
import { createProject, updateProject } from '../projects/settings.ts'
import { showSingleProject, withStatistics } from '../projects/show-project.ts'
import { matchesUser, showUserSummary } from '../records/show-records.ts'
import { hooks } from './hooks.ts'
import { projectMembers } from './members.ts'
import { projectState } from './project-state.ts'
import { protectedBranches } from './protected-branches.ts'
import { pushRule } from './push-rule.ts'
import { findUser } from './users.ts'

export const projects: Handlers<Api['projects']> = {
  list: ({ params, caller, world }) => listProjects(world, caller, world.projects.all(), params),

  ofUser({ params, caller, world }) {
    const { user_id } = params
    const user =
      typeof user_id === 'number' ? world.users.get(user_id) : world.users.first('username', user_id.toLowerCase())
    if (user === undefined) throw notFound('User')
    return listProjects(world, caller, world.projects.where('namespace', user.namespace_id), params)
  },

  async get({ params, caller, world }) {
    const project = findProject(world, caller, params.id)
    const shown = showSingleProject(world, project, caller)
    return params.statistics === true ? withStatistics(world, project, caller, shown) : shown
  },

  users({ params, caller, world }) {
    const project = findProject(world, caller, params.id)
    const found = world.users
      .all()
      .filter((user) => matchesUser(user, params.search) && memberLevelIn(world, user, project) > 0)
    return pageOf(found, params, (user) => showUserSummary(world, user))
  },

  async create({ params, caller, world }) {
    return showSingleProject(world, await createProject(world, { caller, creator: caller }, params), caller)
  },

  async createForUser({ params, caller, world }) {
    if (!caller.is_admin) throw forbidden()
    const { user_id, ...given } = params
    const creator = findUser(world, user_id)
    return showSingleProject(world, await createProject(world, { caller, creator }, given), caller)
  },

  async update({ params, caller, world }) {
    const { id, ...given } = params
    const project = findProjectToChange(world, caller, id, maintainer)
    return showSingleProject(world, await updateProject(world, caller, project, given), caller)
  },

  async delete({ params, caller, world }) {
    await removeProject(world, findProjectFor(world, caller, params.id, owner), caller)
    return { message: '202 Accepted' }
  },

  ...projectState,
  hooks,
  pushRule,
  protectedBranches,
  members: projectMembers,
}
