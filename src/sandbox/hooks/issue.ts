// Issue payloads in their current style (hosting-service.md §2.1).
import { issueUrl } from '../issues/show.ts'
import { labelsNamed } from '../merge-requests/labels.ts'
import type { Issue, User } from '../records.ts'
import { projectById, userById, type World } from '../world.ts'
import { hookLabel, hookProject, hookRepository, hookTime, hookUser } from './parts.ts'

export type IssueAction = 'open' | 'update' | 'close' | 'reopen'
type Changes = Record<string, { previous: unknown; current: unknown }>

export const issueStateIds = { opened: 1, closed: 2 }

/** Sends the hook of something that happened to an issue. */
export function sendIssue(world: World, issue: Issue, user: User, action: IssueAction, changes: Changes = {}): void {
  const project = projectById(world, issue.project_id)
  const assignee = issue.assignee_id === null ? undefined : hookUser(userById(world, issue.assignee_id))
  const attributes = hookIssue(world, issue)
  world.send({
    projectId: project.id,
    flag: 'issues_events',
    name: 'Issue Hook',
    payload: {
      object_kind: 'issue',
      event_type: 'issue',
      user: hookUser(user),
      project: hookProject(world, project),
      object_attributes: { ...attributes, action },
      labels: attributes.labels,
      changes,
      repository: hookRepository(world, project),
      assignees: assignee === undefined ? [] : [assignee],
      ...(assignee !== undefined && { assignee }),
    },
  })
}

/** The issue itself, as payloads of issues and of their notes carry it. */
export function hookIssue(world: World, issue: Issue): Record<string, unknown> {
  return {
    id: issue.id,
    iid: issue.iid,
    project_id: issue.project_id,
    author_id: issue.author_id,
    assignee_id: issue.assignee_id,
    assignee_ids: issue.assignee_id === null ? [] : [issue.assignee_id],
    title: issue.title,
    description: issue.description,
    type: 'Issue',
    state: issue.state,
    state_id: issueStateIds[issue.state],
    created_at: hookTime(issue.created_at),
    updated_at: hookTime(issue.updated_at),
    closed_at: issue.closed_at === null ? null : hookTime(issue.closed_at),
    updated_by_id: null,
    last_edited_at: null,
    last_edited_by_id: null,
    milestone_id: issue.milestone_id,
    labels: labelsNamed(world, issue.project_id, issue.labels).map(hookLabel),
    confidential: false,
    discussion_locked: false,
    due_date: null,
    moved_to_id: null,
    duplicated_to_id: null,
    relative_position: issue.iid,
    time_estimate: 0,
    total_time_spent: 0,
    time_change: 0,
    human_time_estimate: null,
    human_total_time_spent: null,
    human_time_change: null,
    weight: null,
    severity: 'unknown',
    escalation_status: null,
    url: issueUrl(world, issue),
  }
}
