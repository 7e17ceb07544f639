// Projects (api-v4.md §4.3).
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import type { Api } from '../../api/index.ts'
import { canSeeProject, developer, findProject, groupLevel } from '../access.ts'
import { isRefName } from '../git/names.ts'
import { type Handlers, pageOf } from '../handler.ts'
import { checkPath, isPathTaken, pathFromName } from '../namespaces.ts'
import type { User } from '../records.ts'
import { badParameter, invalid } from '../refusal.ts'
import { showNamespace } from '../show.ts'
import { showProject } from '../show-project.ts'
import { nextNumber, now, repositoryFolder, type World } from '../world.ts'
import { forks } from './forks.ts'
import { hooks } from './hooks.ts'
import { projectMembers } from './members.ts'
import { pushRule } from './push-rule.ts'
import { unserved } from './unserved.ts'

export const projects: Handlers<Api['projects']> = {
  list({ params, caller, world }) {
    const wanted = params.search?.toLowerCase() ?? ''
    const found = world.projects
      .all()
      .filter((project) => canSeeProject(world, caller, project))
      .filter((project) => project.name.toLowerCase().includes(wanted) || project.path.toLowerCase().includes(wanted))
      .reverse()
    return pageOf(found, params, (project) => showProject(world, project, caller))
  },

  get: ({ params, caller, world }) => showProject(world, findProject(world, caller, params.id), caller),

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
      updated_at: time,
      last_activity_at: time,
      issues_enabled: params.issues_enabled ?? true,
      merge_requests_enabled: params.merge_requests_enabled ?? true,
      wiki_enabled: params.wiki_enabled ?? true,
      jobs_enabled: params.jobs_enabled ?? true,
      snippets_enabled: params.snippets_enabled ?? false,
      container_registry_enabled: params.container_registry_enabled ?? false,
      resolve_outdated_diff_discussions: params.resolve_outdated_diff_discussions ?? false,
      shared_runners_enabled: params.shared_runners_enabled ?? true,
      public_jobs: params.public_jobs ?? true,
      request_access_enabled: params.request_access_enabled ?? false,
      lfs_enabled: params.lfs_enabled ?? true,
      only_allow_merge_if_pipeline_succeeds: params.only_allow_merge_if_pipeline_succeeds ?? false,
      only_allow_merge_if_all_discussions_are_resolved: params.only_allow_merge_if_all_discussions_are_resolved ?? false,
      printing_merge_requests_link_enabled: params.printing_merge_request_link_enabled ?? true,
      approvals_before_merge: params.approvals_before_merge ?? 0,
      archived: false,
      ci_config_path: params.ci_config_path ?? null,
      repository_storage: 'default',
      import_url: null,
      import_status: 'none',
      import_error: null,
      runners_token: randomBytes(10).toString('hex'),
      avatar: null,
      forked_from_id: null,
      external_tracker_url: null,
      custom_attributes: {},
      known_refs: {},
    })
    return showProject(world, project, caller)
  },

  ofUser: unserved,
  users: unserved,
  createForUser: unserved,
  update: unserved,
  delete: unserved,
  star: unserved,
  unstar: unserved,
  archive: unserved,
  unarchive: unserved,
  upload: unserved,
  share: unserved,
  unshare: unserved,
  setCustomAttribute: unserved,
  setExternalTracker: unserved,
  removeExternalTracker: unserved,
  ...forks,
  hooks,
  pushRule,
  members: projectMembers,
}

/** The caller's own namespace, or a group's where the caller may make projects. */
function findNamespace(world: World, caller: User, id: number | undefined): number {
  if (id === undefined || id === caller.namespace_id) return caller.namespace_id
  const group = world.groups.get(id)
  if (group !== undefined && groupLevel(world, caller, group) >= developer) return id
  const isUser = world.users.where('namespace', id).length > 0
  if (isUser && caller.is_admin) return id
  throw invalid('namespace', 'is not valid')
}

async function createRepository(world: World, id: number, branch: string): Promise<void> {
  const folder = repositoryFolder(world, id)
  await mkdir(folder, { recursive: true })
  // The branch is named, so that the machine's configuration has no say in it; no template, so none of its hooks either.
  await world.git.text(folder, ['init', '--quiet', '--bare', '--template=', `--initial-branch=${branch}`])
}
