// Preconditions of opening, reopening, assigning, labelling and approving.
import { canReadCode, developer, projectLevel } from '../access/access.ts'
import { lineage } from '../access/namespaces.ts'
import { invalid, refuse } from '../http/error-response.ts'
import { isPremium } from '../installation.ts'
import type { MergeRequest, Milestone, Project, User } from '../records/records.ts'
import { projectById, type World } from '../storage/world.ts'

const branches = ['project_id', 'source_project_id', 'source_branch', 'target_branch'] as const
type Branches = Pick<MergeRequest, (typeof branches)[number]>

/** Throws 409 when another merge request of the same branches is open. */
export function refuseDuplicate(world: World, wanted: Branches & { id?: number }): void {
  const other = world.mergeRequests
    .where('source', wanted.source_project_id)
    .find((mr) => mr.state === 'opened' && mr.id !== wanted.id && branches.every((name) => mr[name] === wanted[name]))
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

/** Whether a user sees what it is about: `canReadCode` for merge requests, `canSeeProject` for issues. */
type CanSee = (world: World, user: User, project: Project) => boolean

/** Null for 0 and ''; undefined for users who cannot see it and are ignored, as in GitLab. */
function readAssignee(world: World, project: Project, id: number | '', canSee: CanSee): number | null | undefined {
  if (id === 0 || id === '') return null
  const user = world.users.get(id)
  return user !== undefined && canSee(world, user, project) ? id : undefined
}

/** Without duplicates and users who cannot see it. Free takes only the first, without an error. */
export function readPeople(world: World, project: Project, ids: readonly number[], canSee: CanSee = canReadCode) {
  const allowed = isPremium(world) ? [...new Set(ids)] : ids.slice(0, 1)
  return allowed.filter((id) => typeof readAssignee(world, project, id, canSee) === 'number')
}

/** What `assignee_ids` or else `assignee_id` makes of the assignees; undefined if neither changes them. */
export function readAssignees(
  world: World,
  project: Project,
  { assignee_id, assignee_ids }: { assignee_id?: number | ''; assignee_ids?: number[] },
  canSee: CanSee = canReadCode,
): number[] | undefined {
  if (assignee_ids !== undefined) return readPeople(world, project, assignee_ids, canSee)
  const one = assignee_id === undefined ? undefined : readAssignee(world, project, assignee_id, canSee)
  return one === undefined ? undefined : one === null ? [] : [one]
}

/** A milestone of the project or of a group above it, null for 0 and ''. */
export function readMilestone(world: World, project: Project, id: number | ''): number | null {
  if (id === 0 || id === '') return null
  if (!milestonesFor(world, project).some((milestone) => milestone.id === id))
    throw invalid('milestone_id', 'is invalid')
  return id
}

/** Everyone who may merge may approve once, while it is open. */
export function mayApprove(world: World, mr: MergeRequest, user: User): boolean {
  const project = projectById(world, mr.project_id)
  if (mr.state !== 'opened' || project.archived || mr.approved_by.includes(user.id)) return false
  return projectLevel(world, user, project) >= developer
}

/** In order of id for each owner, the project's own first. */
export function milestonesFor(world: World, project: Project): Milestone[] {
  const groups = lineage(world, world.groups.get(project.namespace_id))
  return [
    ...world.milestones.where('project', project.id),
    ...groups.flatMap(({ id }) => world.milestones.where('group', id)),
  ]
}
