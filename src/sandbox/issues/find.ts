// The issue that a path names, and who may change it, as in real installations.
import { findProject, projectLevel, reporter } from '../access.ts'
import type { Issue, Project, User } from '../records.ts'
import { notFound } from '../refusal.ts'
import type { World } from '../world.ts'

/** The issue and its project; 404 as well where issues are switched off. */
export function findIssue(
  world: World,
  caller: User | null,
  { id, issue_iid }: { id: number | string; issue_iid: number },
): { project: Project; issue: Issue } {
  const project = findProject(world, caller, id)
  const issue = world.issues.first('iid', `${project.id}:${issue_iid}`)
  if (issue === undefined || !project.issues_enabled || !canSeeIssue(world, caller, project, issue)) throw notFound()
  return { project, issue }
}

/** A confidential issue is for its author, its assignee and reporters; any other for whoever sees the project. */
export function canSeeIssue(world: World, user: User | null, project: Project, issue: Issue): boolean {
  if (issue.confidential !== true) return true
  return user !== null && (issue.author_id === user.id || issue.assignee_id === user.id || canTriage(world, user, project))
}

/** Authors and assignees may change what an issue says and close it. */
export function canEditIssue(world: World, user: User, project: Project, issue: Issue): boolean {
  if (!project.issues_enabled) return false
  return issue.author_id === user.id || issue.assignee_id === user.id || canTriage(world, user, project)
}

/** Labels, milestone and assignee are for reporters and above; what others give there is left out. */
export function canTriage(world: World, user: User, project: Project): boolean {
  return projectLevel(world, user, project) >= reporter
}
