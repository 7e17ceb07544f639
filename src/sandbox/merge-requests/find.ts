// The project and the merge request that a path names (api-v4.md §4.2 path parameters).
import { canReadCode, findReadableProject } from '../access.ts'
import type { MergeRequest, Project, User } from '../records.ts'
import { forbidden, notFound } from '../refusal.ts'
import type { World } from '../world.ts'

/** A guest of a private project does not see its merge requests; where they are switched off nobody does. */
export function canReadMergeRequests(world: World, user: User, project: Project): boolean {
  return project.merge_requests_enabled && canReadCode(world, user, project)
}

/** The project behind `:id`; 404 for what the caller may not see, 403 when its merge requests are not for the caller. */
export function findProjectWithMergeRequests(world: World, caller: User, id: number | string): Project {
  const project = findReadableProject(world, caller, id)
  if (!project.merge_requests_enabled) throw forbidden()
  return project
}

/** The merge request and its target project; 404 as well for one that was deleted. */
export function findMergeRequest(
  world: World,
  caller: User,
  { id, merge_request_iid }: { id: number | string; merge_request_iid: number },
): { project: Project; mr: MergeRequest } {
  const project = findProjectWithMergeRequests(world, caller, id)
  const mr = world.mergeRequests.first('iid', `${project.id}:${merge_request_iid}`)
  if (mr === undefined) throw notFound()
  return { project, mr }
}
