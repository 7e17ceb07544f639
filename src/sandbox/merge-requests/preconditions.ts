// Preconditions of opening, reopening, assigning, labelling and approving (hosting-service.md §3.3).
import { canReadCode, developer, projectLevel } from '../access/access.ts'
import { invalid, refuse } from '../http/error-response.ts'
import { milestoneFor } from '../issues/milestones.ts'
import type { MergeRequest, Project, User } from '../records/records.ts'
import { projectById, type World } from '../storage/world.ts'

type Branches = Pick<MergeRequest, 'project_id' | 'source_project_id' | 'source_branch' | 'target_branch'>

/** Throws 409 when another merge request of the same branches is open. */
export function refuseDuplicate(world: World, wanted: Branches & { id?: number }): void {
  const other = world.mergeRequests
    .where('source', wanted.source_project_id)
    .find(
      (mr) =>
        mr.state === 'opened' &&
        mr.project_id === wanted.project_id &&
        mr.source_branch === wanted.source_branch &&
        mr.target_branch === wanted.target_branch &&
        mr.id !== wanted.id,
    )
  if (other !== undefined)
    throw refuse(409, [`Another open merge request already exists for this source branch: !${other.iid}`])
}

export function refuseSameBranch(wanted: Branches): void {
  if (wanted.project_id === wanted.source_project_id && wanted.source_branch === wanted.target_branch) {
    throw invalid('branch_conflict', "You can't use same project/branch for source and target")
  }
}

/** Below Developer, labels, assignee and milestone are ignored. */
export function mayTriage(world: World, user: User, project: Project): boolean {
  return projectLevel(world, user, project) >= developer
}

/** Null for 0 and ''; undefined for users who cannot see the merge request and are ignored, as in GitLab. */
export function readAssignee(world: World, project: Project, id: number | ''): number | null | undefined {
  if (id === 0 || id === '') return null
  const user = world.users.get(id)
  return user !== undefined && canReadCode(world, user, project) ? id : undefined
}

/** Without duplicates and users who cannot see the merge request. */
export function readReviewers(world: World, project: Project, ids: readonly number[]): number[] {
  return [...new Set(ids)].filter((id) => typeof readAssignee(world, project, id) === 'number')
}

/** A milestone of the project or of a group above it, null for 0 and ''. */
export function readMilestone(world: World, project: Project, id: number | ''): number | null {
  if (id === 0 || id === '') return null
  if (milestoneFor(world, project, id) === undefined) throw invalid('milestone_id', 'is invalid')
  return id
}

/** Everyone who may merge may approve once, while it is open. */
export function mayApprove(world: World, mr: MergeRequest, user: User): boolean {
  const project = projectById(world, mr.project_id)
  if (mr.state !== 'opened' || project.archived || mr.approved_by.includes(user.id)) return false
  return projectLevel(world, user, project) >= developer
}
