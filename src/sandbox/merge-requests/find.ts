// Finds a merge request with its project and its source: fork ancestry, and source heads.
import { canReadCode, readableProject } from '../access/access.ts'
import { countBetween } from '../git/read-commits.ts'
import { announcedHead, branchHead } from '../git/refs.ts'
import { fetchInto } from '../git/repository.ts'
import { forbidden, orNotFound } from '../http/error-response.ts'
import type { Asked } from '../http/handler.ts'
import type { MergeRequest, Project, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'

export function canReadMergeRequests(world: World, user: User, project: Project): boolean {
  return project.merge_requests_enabled && canReadCode(world, user, project)
}

/** As canReadMergeRequests of its project. */
export function canReadMergeRequest(world: World, user: User, { project_id }: MergeRequest): boolean {
  const project = world.projects.get(project_id)
  return project !== undefined && canReadMergeRequests(world, user, project)
}

/** Throws 403 if merge requests are disabled. */
export function projectWithMergeRequests(call: Asked<{ id: number | string }>): { project: Project } {
  const { project } = readableProject(call)
  if (!project.merge_requests_enabled) throw forbidden()
  return { project }
}

export interface MergeRequestPath {
  id: number | string
  merge_request_iid: number
}

/** The merge request and its target project. Throws 404 for a deleted one as well. */
export function mergeRequestAt(call: Asked<MergeRequestPath>): { project: Project; mr: MergeRequest } {
  const { project } = projectWithMergeRequests(call)
  const mr = orNotFound(call.world.mergeRequests.first('iid', `${project.id}:${call.params.merge_request_iid}`))
  return { project, mr }
}

export function descendsFrom(world: World, fork: Project, origin: Project): boolean {
  const seen = new Set<number>()
  let project: Project | undefined = fork
  while (project !== undefined && project.forked_from_id !== null && !seen.has(project.id)) {
    if (project.forked_from_id === origin.id) return true
    seen.add(project.id)
    project = world.projects.get(project.forked_from_id)
  }
  return false
}

/** Copies the head into the target project and points `refs/merge-requests/:iid/head` at it. */
export async function copyHead(
  world: World,
  mr: Pick<MergeRequest, 'iid' | 'project_id' | 'source_project_id'>,
  sha: string,
): Promise<void> {
  await fetchInto(world, mr.source_project_id, mr.project_id, sha, `refs/merge-requests/${mr.iid}/head`)
}

/** How many commits of the target branch the source lacks; 0 if one of the branches is gone. */
export async function commitsBehind(world: World, mr: MergeRequest): Promise<number> {
  const target = announcedHead(world, mr.project_id, mr.target_branch)
  if (target === undefined || announcedHead(world, mr.source_project_id, mr.source_branch) === undefined) return 0
  return countBetween(world, mr.project_id, mr.sha, target)
}

/** The head of the source branch; undefined when the branch or its project is gone. */
export async function sourceHead(
  world: World,
  { source_project_id, source_branch }: Pick<MergeRequest, 'source_project_id' | 'source_branch'>,
): Promise<string | undefined> {
  if (world.projects.get(source_project_id) === undefined) return undefined
  return branchHead(world, source_project_id, source_branch)
}
