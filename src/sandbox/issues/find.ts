// Finds an issue and checks rights, as in GitLab (GitLab docs: user/permissions).
import { findProject, planner, projectLevel } from '../access/access.ts'
import { notFound } from '../http/error-response.ts'
import type { IssueRecord, Project, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'

export interface IssuePath {
  id: number | string
  issue_iid: number
}

/** Throws 404 also if issues are disabled. */
export function findIssue(
  world: World,
  caller: User | null,
  { id, issue_iid }: IssuePath,
): { project: Project; issue: IssueRecord } {
  const project = findProject(world, caller, id)
  const issue = world.issues.first('iid', `${project.id}:${issue_iid}`)
  if (issue === undefined || !project.issues_enabled || !canSeeIssue(world, caller, project, issue)) throw notFound()
  return { project, issue }
}

/** Confidential issues are for author, assignees and planners. */
export function canSeeIssue(world: World, user: User | null, project: Project, issue: IssueRecord): boolean {
  return !issue.confidential || (user !== null && takesPart(world, user, project, issue))
}

/** Authors, assignees and planners. */
export function canEditIssue(world: World, user: User, project: Project, issue: IssueRecord): boolean {
  return project.issues_enabled && takesPart(world, user, project, issue)
}

/**
 * Labels, milestone, assignees, dates, weight, times, lock and confidentiality are for planners (15, since 17.7) and
 * above; what others give there is left out.
 */
export function canTriage(world: World, user: User, project: Project): boolean {
  return projectLevel(world, user, project) >= planner
}

function takesPart(world: World, user: User, project: Project, issue: IssueRecord): boolean {
  return issue.author_id === user.id || issue.assignee_ids.includes(user.id) || canTriage(world, user, project)
}
