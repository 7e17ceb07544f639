// Updates projects. Without `name`, the old one stays.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { announcedHead, pointHead } from '../git/refs.ts'
import { badParameter, invalid } from '../http/error-response.ts'
import type { Project, User } from '../records/records.ts'
import { now, type World } from '../storage/world.ts'
import { storeUpload } from './files.ts'
import { pathIn, refuseTaken } from './namespace.ts'
import { checkSettings, settingsOf } from './settings.ts'

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
