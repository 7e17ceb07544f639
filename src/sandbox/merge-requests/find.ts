// Finds a merge request and its project.
import { canReadCode, findReadableProject } from '../access/access.ts'
import { forbidden, notFound } from '../http/error-response.ts'
import type { MergeRequest, Project, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'

export function canReadMergeRequests(world: World, user: User, project: Project): boolean {
  return project.merge_requests_enabled && canReadCode(world, user, project)
}

/** Throws 403 if merge requests are disabled. */
export function findProjectWithMergeRequests(world: World, caller: User, id: number | string): Project {
  const project = findReadableProject(world, caller, id)
  if (!project.merge_requests_enabled) throw forbidden()
  return project
}

export interface MergeRequestPath {
  id: number | string
  merge_request_iid: number
}

/** The merge request and its target project. Throws 404 for a deleted one as well. */
export function findMergeRequest(
  world: World,
  caller: User,
  { id, merge_request_iid }: MergeRequestPath,
): { project: Project; mr: MergeRequest } {
  const project = findProjectWithMergeRequests(world, caller, id)
  const mr = world.mergeRequests.first('iid', `${project.id}:${merge_request_iid}`)
  if (mr === undefined) throw notFound()
  return { project, mr }
}
