// Settings that project creation and update share.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { checkPath, pathFromName } from '../access/namespaces.ts'
import { isMirrorUrl } from '../git/fetch-mirror.ts'
import { isRefName } from '../git/names.ts'
import { announcedHead, pointHead } from '../git/refs.ts'
import { badParameter, forbidden, invalid } from '../http/error-response.ts'
import { defined } from '../records/fields.ts'
import type { Project, User } from '../records/records.ts'
import { now, type World } from '../storage/world.ts'
import { enterProject } from './enter.ts'
import { startFetch } from './fetch.ts'
import { checkAvatar, storeUpload } from './files.ts'
import { findNamespace, pathIn, refuseTaken } from './namespace.ts'

type Settings = Partial<Omit<CheckedParams<Api['projects']['create']>, 'namespace_id'>>

/** Throws 400 for invalid settings, 403 for administrators' ones. */
function checkSettings(caller: User, given: Settings): void {
  if (given.repository_storage !== undefined && !caller.is_admin) throw forbidden()
  if (given.repository_storage === '') throw invalid('repository_storage', 'is not included in the list')
  if (given.name?.trim() === '') throw invalid('name', "can't be blank")
  if (given.path !== undefined) checkPath('path', given.path)
  if (given.default_branch !== undefined && !isRefName(given.default_branch))
    throw invalid('default_branch', 'is invalid')
  if (given.avatar !== undefined) checkAvatar(given.avatar)
  if (given.import_url && !isMirrorUrl(given.import_url)) {
    throw invalid('import_url', 'is blocked: Only allowed schemes are http, https')
  }
}

function settingsOf(given: Settings & { namespace_id?: number }): Partial<Omit<Project, 'id'>> {
  const { name, path, namespace_id, avatar, tag_list, printing_merge_request_link_enabled, ...rest } = given
  return defined({
    ...rest,
    tag_list: tag_list && cleanTags(tag_list),
    ci_config_path: rest.ci_config_path === '' ? null : rest.ci_config_path,
    import_url: rest.import_url === '' ? null : rest.import_url,
    printing_merge_requests_link_enabled: printing_merge_request_link_enabled,
  })
}

function cleanTags(tags: readonly string[]) {
  return [...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== ''))]
}

const longestPath = 255

type NewProjectParams = Settings & { namespace_id?: number }

/** The rights of `creator` decide on the namespace, the caller's on administrators' fields. */
export async function createProject(
  world: World,
  { caller, creator }: { caller: User; creator: User },
  given: NewProjectParams,
): Promise<Project> {
  const name = given.name ?? given.path
  if (name === undefined) throw badParameter('name, path are missing, at least one parameter must be provided')
  const path = given.path ?? pathFromName(name).slice(0, longestPath)
  checkSettings(caller, { ...given, name, path })
  const namespace_id = findNamespace(world, creator, given.namespace_id ?? creator.namespace_id)
  if (namespace_id === undefined) throw invalid('namespace', 'is not valid')
  const settings = settingsOf(given)
  const entered = await enterProject(world, { ...settings, namespace_id, name, path, creator_id: creator.id })
  const avatar = given.avatar && (await storeUpload(world, entered.id, given.avatar)).url
  const project = world.projects.update(entered.id, { avatar })
  return project.import_url === null ? project : startFetch(world, project, { pusher: null })
}

type ProjectParams = Omit<CheckedParams<Api['projects']['update']>, 'id'>

/** Checks everything before it changes anything. */
export async function updateProject(
  world: World,
  caller: User,
  project: Project,
  given: ProjectParams,
): Promise<Project> {
  if (Object.values(given).every((value) => value === undefined)) {
    throw badParameter('at least one parameter must be provided')
  }
  checkSettings(caller, given)
  const place = {
    namespace_id: project.namespace_id,
    name: given.name ?? project.name,
    path: given.path ?? project.path,
  }
  refuseTaken(world, place, { self: project.id })
  if (given.default_branch !== undefined) await checkDefaultBranch(world, project, given.default_branch)
  const avatar = given.avatar === undefined ? undefined : (await storeUpload(world, project.id, given.avatar)).url
  const updated = world.projects.update(project.id, {
    ...settingsOf(given),
    ...place,
    path_with_namespace: pathIn(world, place),
    avatar,
    updated_at: now(world),
  })
  if (given.default_branch !== undefined) await pointHead(world, project.id, updated.default_branch)
  return updated
}

async function checkDefaultBranch(world: World, project: Project, branch: string) {
  if (branch === project.default_branch || announcedHead(world, project.id, branch) !== undefined) return
  throw invalid('base', 'Could not set the default branch')
}
