// Projects and their members (api-v4.md §4.3).
import { mkdir } from 'node:fs/promises'
import type { Api } from '../../api/index.ts'
import { canSeeProject, developer, findProject, findProjectFor, groupLevel, maintainer, memberLevelIn, projectLevel } from '../access.ts'
import { isRefName } from '../git/names.ts'
import { type Handlers, pageOf } from '../handler.ts'
import { addMember } from '../members.ts'
import { checkPath, isPathTaken, pathFromName } from '../namespaces.ts'
import type { AccessLevel, User } from '../records.ts'
import { badParameter, forbidden, invalid, notFound } from '../refusal.ts'
import { showMember, showNamespace, showProject } from '../show.ts'
import { nextNumber, now, repositoryFolder, type World } from '../world.ts'
import { hooks } from './hooks.ts'

export const projects: Handlers<Api['projects']> = {
  list({ params, caller, world }) {
    const wanted = params.search?.toLowerCase() ?? ''
    const found = world.projects
      .all()
      .filter((project) => canSeeProject(world, caller, project))
      .filter((project) => project.name.toLowerCase().includes(wanted) || project.path.toLowerCase().includes(wanted))
      .reverse()
    return pageOf(found, params, (project) => showProject(world, project))
  },

  get: ({ params, caller, world }) => showProject(world, findProject(world, caller, params.id)),

  async create({ params, caller, world }) {
    const given = params.name ?? params.path
    if (given === undefined) throw badParameter('name, path are missing, at least one parameter must be provided')
    const path = params.path ?? pathFromName(given)
    checkPath('path', path)
    const default_branch = params.default_branch ?? 'master'
    if (!isRefName(default_branch)) throw invalid('default_branch', 'is invalid')
    const namespace_id = findNamespace(world, caller, params.namespace_id)
    const path_with_namespace = `${showNamespace(world, namespace_id).full_path}/${path}`
    if (isPathTaken(world, path_with_namespace)) throw invalid('path', 'has already been taken')
    const id = nextNumber(world, 'projects')
    await createRepository(world, id, default_branch)
    const time = now(world)
    const project = world.projects.add({
      id,
      namespace_id,
      name: params.name ?? path,
      path,
      path_with_namespace,
      description: params.description ?? null,
      default_branch,
      visibility: params.visibility ?? 'private',
      tag_list: params.tag_list ?? [],
      creator_id: caller.id,
      created_at: time,
      last_activity_at: time,
      only_allow_merge_if_pipeline_succeeds: params.only_allow_merge_if_pipeline_succeeds ?? false,
      only_allow_merge_if_all_discussions_are_resolved: params.only_allow_merge_if_all_discussions_are_resolved ?? false,
      approvals_before_merge: params.approvals_before_merge ?? 0,
      known_refs: {},
    })
    return showProject(world, project)
  },

  hooks,

  members: {
    list({ params, caller, world }) {
      const project = findProject(world, caller, params.id)
      return pageOf(world.members.where('source', `project:${project.id}`), params, (member) => showMember(world, member))
    },

    get({ params, caller, world }) {
      const project = findProject(world, caller, params.id)
      const user = world.users.get(params.user_id)
      const level = user === undefined ? 0 : memberLevelIn(world, user, project)
      if (user === undefined || level === 0) throw notFound()
      return showMember(world, { user_id: user.id, access_level: level as AccessLevel })
    },

    add({ params, caller, world }) {
      const project = findProjectFor(world, caller, params.id, maintainer)
      if (params.access_level > projectLevel(world, caller, project)) throw forbidden()
      if (world.users.get(params.user_id) === undefined) throw notFound('User')
      const { user_id, access_level } = params
      return showMember(world, addMember(world, { source: 'project', source_id: project.id, user_id, access_level }))
    },
  },
}

/** The caller's own namespace, or a group's where the caller may make projects. */
function findNamespace(world: World, caller: User, id: number | undefined): number {
  if (id === undefined || id === caller.namespace_id) return caller.namespace_id
  const group = world.groups.get(id)
  if (group !== undefined && groupLevel(world, caller, group) >= developer) return id
  const isUser = world.users.all().some((user) => user.namespace_id === id)
  if (isUser && caller.is_admin) return id
  throw invalid('namespace', 'is not valid')
}

async function createRepository(world: World, id: number, branch: string): Promise<void> {
  const folder = repositoryFolder(world, id)
  await mkdir(folder, { recursive: true })
  // The branch is named, so that the machine's configuration has no say in it; no template, so none of its hooks either.
  await world.git.text(folder, ['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`])
}
