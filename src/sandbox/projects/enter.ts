// Adds a project: number, repository and record.
import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { developer, groupLevel } from '../access/access.ts'
import { isPathTaken } from '../access/namespaces.ts'
import { createRepository } from '../git/repository.ts'
import { ErrorResponse, orNotFound } from '../http/error-response.ts'
import type { Project, User } from '../records/records.ts'
import { showNamespace } from '../records/show-records.ts'
import { nextNumber, now, repositoryFolder, type World } from '../storage/world.ts'

export const projectDefaults = {
  description: null,
  default_branch: 'master',
  visibility: 'private',
  tag_list: [],
  issues_enabled: true,
  merge_requests_enabled: true,
  wiki_enabled: true,
  jobs_enabled: true,
  snippets_enabled: false,
  container_registry_enabled: false,
  resolve_outdated_diff_discussions: false,
  shared_runners_enabled: true,
  public_jobs: true,
  request_access_enabled: false,
  lfs_enabled: true,
  only_allow_merge_if_pipeline_succeeds: false,
  only_allow_merge_if_all_discussions_are_resolved: false,
  printing_merge_requests_link_enabled: true,
  merge_method: 'merge',
  automatic_rebase_enabled: false,
  squash_option: 'default_off',
  allow_merge_on_skipped_pipeline: false,
  merge_pipelines_enabled: false,
  merge_trains_enabled: false,
  merge_train_enforcement: 'allow_bypass',
  reset_approvals_on_push: false,
  approvals_before_merge: 0,
  archived: false,
  ci_config_path: null,
  repository_storage: 'default',
  avatar: null,
  import_url: null,
  import_status: 'none',
  import_error: null,
  forked_from_id: null,
  known_refs: {},
} as const satisfies Partial<Project>

type NewProject = Partial<Omit<Project, 'id'>> & ProjectPlace & Pick<Project, 'creator_id'>

/** Throws `takenStatus` for a taken name or path. */
export async function enterProject(
  world: World,
  fields: NewProject,
  { takenStatus = 400 }: { takenStatus?: number } = {},
): Promise<Project> {
  refuseTaken(world, fields, { status: takenStatus })
  const id = nextNumber(world, 'projects')
  try {
    await createRepository(world, id, fields.default_branch ?? projectDefaults.default_branch)
    // Again: a fork takes no lock of the namespace.
    refuseTaken(world, fields, { status: takenStatus })
  } catch (error) {
    await rm(repositoryFolder(world, id), { recursive: true, force: true })
    throw error
  }
  const time = now(world)
  return world.projects.add({
    ...projectDefaults,
    ...fields,
    id,
    path_with_namespace: pathIn(world, fields),
    runners_token: randomBytes(10).toString('hex'),
    created_at: time,
    updated_at: time,
    last_activity_at: time,
  })
}

/** The id of a namespace where the user may create projects: their own, a group's from Developer, any for admins. */
export function findNamespace(world: World, user: User, wanted: number | string): number | undefined {
  const id = typeof wanted === 'number' ? wanted : namespaceAt(world, wanted)
  if (id === undefined || id === user.namespace_id) return id
  const group = world.groups.get(id)
  if (group !== undefined) return groupLevel(world, user, group) >= developer ? id : undefined
  return user.is_admin && world.users.first('namespace', id) !== undefined ? id : undefined
}

function namespaceAt(world: World, path: string) {
  const key = path.toLowerCase()
  return world.groups.first('path', key)?.id ?? world.users.first('username', key)?.namespace_id
}

type ProjectPlace = Pick<Project, 'namespace_id' | 'name' | 'path'>

export function pathIn(world: World, { namespace_id, path }: Pick<ProjectPlace, 'namespace_id' | 'path'>): string {
  return `${showNamespace(world, namespace_id).full_path}/${path}`
}

/** Paths ignore case. Throws 404 when the namespace is gone. */
export function refuseTaken(world: World, place: ProjectPlace, { status = 400, self = 0 } = {}): void {
  const { namespace_id } = place
  orNotFound(world.groups.get(namespace_id) ?? world.users.first('namespace', namespace_id), 'Namespace')
  const others = world.projects.where('namespace', namespace_id).filter(({ id }) => id !== self)
  const full = pathIn(world, place)
  const own = world.projects.get(self)?.path_with_namespace.toLowerCase() === full.toLowerCase()
  const taken = ['has already been taken']
  const message = {
    ...(others.some(({ name }) => name === place.name) && { name: taken }),
    ...(!own && isPathTaken(world, full) && { path: taken }),
  }
  if (Object.keys(message).length > 0) throw new ErrorResponse(status, { message })
}
