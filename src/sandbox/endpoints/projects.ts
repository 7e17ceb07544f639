// Projects.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { maintainer, memberLevelIn, owner, projectFor, projectToChange, visibleProject } from '../access/access.ts'
import { checkPath, pathFromName } from '../access/namespaces.ts'
import { announcedHead, isRefName, pointHead } from '../git/refs.ts'
import { isMirrorUrl } from '../git/repository.ts'
import { badParameter, forbidden, invalid, orNotFound } from '../http/error-response.ts'
import { type Handlers, on, pageOf } from '../http/handler.ts'
import { enterProject, findNamespace, pathIn, refuseTaken } from '../projects/enter.ts'
import { checkAvatar, storeAvatar } from '../projects/files.ts'
import { startFetch } from '../projects/fork.ts'
import { removeProject } from '../projects/remove.ts'
import { listProjects, showSingleProject, withStatistics } from '../projects/show-project.ts'
import { pushEvents } from '../pushes/push-events.ts'
import { defined } from '../records/fields.ts'
import type { Project, User } from '../records/records.ts'
import { matchesUser, showUserSummary } from '../records/show-records.ts'
import { now, type World } from '../storage/world.ts'
import { hooks } from './hooks.ts'
import { projectMembers } from './members.ts'
import { projectState } from './project-state.ts'
import { protectedBranches, pushRule } from './protected-branches.ts'
import { findUser } from './users.ts'

export const projects: Handlers<Api['projects']> = {
  list: ({ params, caller, world }) => listProjects(world, caller, world.projects.all(), params),

  ofUser({ params, caller, world }) {
    const { user_id } = params
    const user =
      typeof user_id === 'number' ? world.users.get(user_id) : world.users.first('username', user_id.toLowerCase())
    const { namespace_id } = orNotFound(user, 'User')
    return listProjects(world, caller, world.projects.where('namespace', namespace_id), params)
  },

  get: on(visibleProject, async ({ project, params, caller, world }) => {
    const shown = showSingleProject(world, project, caller)
    return params.statistics === true ? withStatistics(world, project, caller, shown) : shown
  }),

  users: on(visibleProject, ({ project, params, world }) => {
    const found = world.users
      .all()
      .filter((user) => matchesUser(user, params.search) && memberLevelIn(world, user, project) > 0)
    return pageOf(found, params, (user) => showUserSummary(world, user))
  }),

  async create({ params, caller, world }) {
    return showSingleProject(world, await createProject(world, { caller, creator: caller }, params), caller)
  },

  async createForUser({ params, caller, world }) {
    if (!caller.is_admin) throw forbidden()
    const { user_id, ...given } = params
    const creator = findUser(world, user_id)
    return showSingleProject(world, await createProject(world, { caller, creator }, given), caller)
  },

  update: on(projectToChange(maintainer), async ({ project, params: { id, ...given }, caller, world }) => {
    // Checks everything before it changes anything.
    if (Object.values(given).every((value) => value === undefined))
      throw badParameter('at least one parameter must be provided')
    checkSettings(caller, given)
    const { name = project.name, path = project.path, default_branch } = given
    const place = { namespace_id: project.namespace_id, name, path }
    refuseTaken(world, place, { self: project.id })
    if (default_branch !== undefined) await checkDefaultBranch(world, project, default_branch)
    const avatar = await storeAvatar(world, project.id, given.avatar)
    const updated = world.projects.update(project.id, {
      ...settingsOf(given),
      ...place,
      path_with_namespace: pathIn(world, place),
      avatar,
      updated_at: now(world),
    })
    if (default_branch !== undefined) await pointHead(world, project.id, default_branch)
    return showSingleProject(world, updated, caller)
  }),

  delete: on(projectFor(owner), async ({ project, caller, world }) => {
    await removeProject(world, project, caller)
    return { message: '202 Accepted' }
  }),

  ...projectState,
  hooks,
  events: pushEvents,
  pushRule,
  protectedBranches,
  members: projectMembers,
}

type Settings = Partial<Omit<CheckedParams<Api['projects']['create']>, 'namespace_id'>>

/** Throws 400 for invalid settings, 403 for administrators' ones. */
function checkSettings(caller: User, given: Settings): void {
  if (given.repository_storage !== undefined && !caller.is_admin) throw forbidden()
  if (given.repository_storage === '') throw invalid('repository_storage', 'is not included in the list')
  if (given.name?.trim() === '') throw invalid('name', "can't be blank")
  if (given.path !== undefined) checkPath('path', given.path)
  if (given.default_branch !== undefined && !isRefName(given.default_branch))
    throw invalid('default_branch', 'is invalid')
  if (given.avatar) checkAvatar(given.avatar)
  if (given.import_url && !isMirrorUrl(given.import_url)) {
    throw invalid('import_url', 'is blocked: Only allowed schemes are http, https')
  }
}

function settingsOf(given: Settings & { namespace_id?: number }): Partial<Omit<Project, 'id'>> {
  const { name, path, namespace_id, avatar, tag_list, printing_merge_request_link_enabled, ...rest } = given
  return defined({
    ...rest,
    tag_list: tag_list && [...new Set(tag_list.map((tag) => tag.trim()).filter((tag) => tag !== ''))],
    ci_config_path: rest.ci_config_path === '' ? null : rest.ci_config_path,
    import_url: rest.import_url === '' ? null : rest.import_url,
    printing_merge_requests_link_enabled: printing_merge_request_link_enabled,
  })
}

const longestPath = 255

/** The rights of `creator` decide on the namespace, the caller's on administrators' fields. */
async function createProject(
  world: World,
  { caller, creator }: { caller: User; creator: User },
  given: Settings & { namespace_id?: number },
): Promise<Project> {
  const name = given.name ?? given.path
  if (name === undefined) throw badParameter('name, path are missing, at least one parameter must be provided')
  const path = given.path ?? pathFromName(name).slice(0, longestPath)
  checkSettings(caller, { ...given, name, path })
  const namespace_id = findNamespace(world, creator, given.namespace_id ?? creator.namespace_id)
  if (namespace_id === undefined) throw invalid('namespace', 'is not valid')
  const settings = settingsOf(given)
  const entered = await enterProject(world, { ...settings, namespace_id, name, path, creator_id: creator.id })
  const avatar = await storeAvatar(world, entered.id, given.avatar)
  const project = world.projects.update(entered.id, { avatar })
  return project.import_url === null ? project : startFetch(world, project, { pusher: null })
}

async function checkDefaultBranch(world: World, project: Project, branch: string) {
  if (branch === project.default_branch || announcedHead(world, project.id, branch) !== undefined) return
  throw invalid('base', 'Could not set the default branch')
}
