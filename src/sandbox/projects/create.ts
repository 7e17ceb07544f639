// Creates projects.
import { pathFromName } from '../access/namespaces.ts'
import { badParameter, invalid } from '../http/error-response.ts'
import type { Project, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { enterProject } from './enter.ts'
import { startFetch } from './fetch.ts'
import { storeUpload } from './files.ts'
import { findNamespace } from './namespace.ts'
import { checkSettings, type Settings, settingsOf } from './settings.ts'

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
