// Finds issues, checks rights as in GitLab (GitLab docs: user/permissions), and shows them in GitLab's shapes.
import type { z } from 'zod'
import { issue as issueSchema } from '../../api/schemas/issue.ts'
import { planner, projectLevel, visibleProject } from '../access/access.ts'
import { notFound } from '../http/error-response.ts'
import type { Asked } from '../http/handler.ts'
import { isPremium } from '../installation.ts'
import { referencesOf, showWork } from '../merge-requests/show.ts'
import { shownFields } from '../records/fields.ts'
import type { IssueRecord, Project, User } from '../records/records.ts'
import { showUserById } from '../records/show-records.ts'
import { projectById, type World, webUrl } from '../storage/world.ts'
import { countClosing } from './closing-references.ts'

export interface IssuePath {
  id: number | string
  issue_iid: number
}

/** Throws 404 also if issues are disabled. */
export function issueAt(call: Asked<IssuePath, User | null>): { project: Project; issue: IssueRecord } {
  const { project } = visibleProject(call)
  const { params, caller, world } = call
  const issue = world.issues.first('iid', `${project.id}:${params.issue_iid}`)
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

type Shown = z.output<typeof issueSchema>

export function issueUrl(world: World, issue: IssueRecord): string {
  return `${webUrl(world, projectById(world, issue.project_id))}/-/issues/${issue.iid}`
}

/** An issue as lists show it. */
export function showIssue(world: World, issue: IssueRecord): Shown {
  return {
    ...shownFields(issueSchema, issue),
    ...showWork(world, 'Issue', issue),
    closed_by: issue.closed_by_id === null ? null : showUserById(world, issue.closed_by_id),
    merge_requests_count: countClosing(world, issue),
    web_url: issueUrl(world, issue),
    type: issue.issue_type.toUpperCase(),
    weight: isPremium(world) ? issue.weight : undefined,
    references: referencesOf(world, issue, '#'),
  }
}

/** A single issue, which also says whether the caller is subscribed. */
export function showSingleIssue(world: World, issue: IssueRecord, caller: User | null): Shown {
  return { ...showIssue(world, issue), subscribed: caller !== null && issue.subscriber_ids.includes(caller.id) }
}
