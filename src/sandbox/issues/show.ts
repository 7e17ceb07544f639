// Issues and milestones in GitLab's shapes.
import type { z } from 'zod'
import type { issue as issueSchema, milestone as milestoneSchema } from '../../api/schemas/issue.ts'
import type { IssueRecord, Milestone } from '../records/records.ts'
import { showUserById } from '../records/show-records.ts'
import { projectById, type World } from '../storage/world.ts'

export function showMilestone(milestone: Milestone): z.output<typeof milestoneSchema> {
  return milestone
}

export function issueUrl(world: World, issue: IssueRecord): string {
  return `${world.url}/${projectById(world, issue.project_id).path_with_namespace}/-/issues/${issue.iid}`
}

export function showIssue(world: World, issue: IssueRecord): z.output<typeof issueSchema> {
  const milestone = issue.milestone_id === null ? undefined : world.milestones.get(issue.milestone_id)
  const { author_id, assignee_id, milestone_id, ...shown } = issue
  return {
    ...shown,
    author: showUserById(world, author_id),
    assignee: assignee_id === null ? null : showUserById(world, assignee_id),
    labels: [...issue.labels].sort(),
    milestone: milestone === undefined ? null : showMilestone(milestone),
    user_notes_count: world.notes.where('noteable', `Issue:${issue.id}`).filter((note) => !note.system).length,
    web_url: issueUrl(world, issue),
    confidential: issue.confidential === true,
    issue_type: issue.issue_type ?? 'issue',
  }
}
