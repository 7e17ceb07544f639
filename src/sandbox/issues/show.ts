// Issues and milestones as the API shows them: shapes of real installations (src/api/schemas/issue.ts).
import type { z } from 'zod'
import type { issue as issueSchema, milestone as milestoneSchema } from '../../api/schemas/issue.ts'
import type { Issue, Milestone } from '../records.ts'
import { showUserSummary } from '../show.ts'
import { projectById, userById, type World } from '../world.ts'

export function showMilestone(milestone: Milestone): z.output<typeof milestoneSchema> {
  const { id, iid, project_id, title, description, state, created_at, updated_at, due_date } = milestone
  return { id, iid, project_id, title, description, state, created_at, updated_at, due_date }
}

export function issueUrl(world: World, issue: Issue): string {
  return `${world.url}/${projectById(world, issue.project_id).path_with_namespace}/-/issues/${issue.iid}`
}

export function showIssue(world: World, issue: Issue): z.output<typeof issueSchema> {
  const milestone = issue.milestone_id === null ? undefined : world.milestones.get(issue.milestone_id)
  return {
    id: issue.id,
    iid: issue.iid,
    project_id: issue.project_id,
    title: issue.title,
    description: issue.description,
    state: issue.state,
    created_at: issue.created_at,
    updated_at: issue.updated_at,
    closed_at: issue.closed_at,
    author: showUserSummary(world, userById(world, issue.author_id)),
    assignee: issue.assignee_id === null ? null : showUserSummary(world, userById(world, issue.assignee_id)),
    labels: [...issue.labels].sort(),
    milestone: milestone === undefined ? null : showMilestone(milestone),
    user_notes_count: world.notes.where('noteable', `Issue:${issue.id}`).filter((note) => !note.system).length,
    web_url: issueUrl(world, issue),
    confidential: issue.confidential === true,
  }
}
