// Finds an issue and checks rights, as in GitLab.
import { findProject, projectLevel, reporter } from '../access/access.ts'
import { notFound } from '../http/error-response.ts'
import type { IssueRecord, Project, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'

/** Throws 404 also where issues are disabled. */
export function findIssue(
  world: World,
  caller: User | null,
  { id, issue_iid }: { id: number | string; issue_iid: number },
): { project: Project; issue: IssueRecord } {
  const project = findProject(world, caller, id)
  const issue = world.issues.first('iid', `${project.id}:${issue_iid}`)
  if (issue === undefined || !project.issues_enabled || !canSeeIssue(world, caller, project, issue)) throw notFound()
  return { project, issue }
}

/** Confidential issues are for author, assignee and reporters. */
export function canSeeIssue(world: World, user: User | null, project: Project, issue: IssueRecord): boolean {
  if (issue.confidential !== true) return true
  return (
    user !== null && (issue.author_id === user.id || issue.assignee_id === user.id || canTriage(world, user, project))
  )
}

/** Authors, assignees and reporters. */
export function canEditIssue(world: World, user: User, project: Project, issue: IssueRecord): boolean {
  if (!project.issues_enabled) return false
  return issue.author_id === user.id || issue.assignee_id === user.id || canTriage(world, user, project)
}

/** Labels, milestone and assignee are for reporters and above; what others give there is left out. */
export function canTriage(world: World, user: User, project: Project): boolean {
  return projectLevel(world, user, project) >= reporter
}
