// The merge request that a path names (api-v4.md §4.2 path parameters).
import { findProject, findReadableProject } from '../access.ts'
import type { MergeRequest, Project, User } from '../records.ts'
import { notFound } from '../refusal.ts'
import type { World } from '../world.ts'

/** The merge request and its target project; 404 as well for one that was deleted. */
export function findMergeRequest(
  world: World,
  caller: User,
  { id, merge_request_iid }: { id: number | string; merge_request_iid: number },
): { project: Project; mr: MergeRequest } {
  const project = findReadableProject(world, caller, findProject(world, caller, id).id)
  const mr = world.mergeRequests.first('iid', `${project.id}:${merge_request_iid}`)
  if (mr === undefined) throw notFound()
  return { project, mr }
}
