// Issue payloads.
import { isPremium } from '../installation.ts'
import { issueUrl } from '../issues/find.ts'
import { formatDuration, showTimeStats } from '../merge-requests/duration.ts'
import { labelsNamed } from '../merge-requests/labels.ts'
import { pick } from '../records/fields.ts'
import type { IssueRecord, User } from '../records/records.ts'
import { projectById, type World } from '../storage/world.ts'
import { type Changes, changesBetween, hookLabel, hookRepository, hookTime, hookUser, hookUsers } from './parts.ts'

export type IssueAction = 'open' | 'update' | 'close' | 'reopen'

const types = { issue: 'Issue', incident: 'Incident', test_case: 'Test Case', task: 'Task' }
const stateIds = { opened: 1, closed: 2 }

/** `timeChange` is in seconds. */
export function sendIssue(
  world: World,
  issue: IssueRecord,
  user: User,
  action: IssueAction,
  { changes = {}, timeChange = 0 }: { changes?: Changes; timeChange?: number } = {},
): void {
  const project = projectById(world, issue.project_id)
  const assignees = hookUsers(world, issue.assignee_ids)
  const attributes: Record<string, unknown> = {
    ...hookIssue(world, issue),
    time_change: timeChange,
    human_time_change: formatDuration(timeChange),
  }
  const isConfidential = issue.confidential
  const kind = attributes.type === 'Issue' ? 'issue' : 'work_item'
  world.send(project, isConfidential ? 'confidential_issues_events' : 'issues_events', {
    object_kind: kind,
    event_type: isConfidential ? `confidential_${kind}` : kind,
    user: hookUser(user),
    object_attributes: { ...attributes, action },
    labels: attributes.labels,
    changes,
    repository: hookRepository(world, project),
    assignees,
    assignee: assignees[0],
  })
}

export function hookIssue(world: World, issue: IssueRecord): Record<string, unknown> {
  return {
    ...pick(issue, 'id', 'iid', 'project_id', 'author_id', 'assignee_ids', 'title', 'description', 'milestone_id'),
    ...pick(issue, 'state', 'confidential', 'due_date'),
    assignee_id: issue.assignee_ids[0] ?? null,
    type: types[issue.issue_type],
    state_id: stateIds[issue.state],
    created_at: hookTime(issue.created_at),
    updated_at: hookTime(issue.updated_at),
    closed_at: hookTime(issue.closed_at),
    updated_by_id: null,
    last_edited_at: null,
    last_edited_by_id: null,
    labels: labelsNamed(world, issue.project_id, issue.labels).map(hookLabel),
    discussion_locked: issue.discussion_locked === true,
    moved_to_id: null,
    duplicated_to_id: null,
    relative_position: issue.iid,
    ...showTimeStats(issue),
    time_change: 0,
    human_time_change: null,
    ...(isPremium(world) && { weight: issue.weight }),
    severity: 'unknown',
    escalation_status: null,
    url: issueUrl(world, issue),
  }
}

/** What an update changed, with `updated_at` in any case; labels and assignees as objects. */
export function issueChanges(world: World, before: IssueRecord, after: IssueRecord): Changes {
  const fields = (issue: IssueRecord) => ({
    ...pick(issue, 'title', 'description', 'milestone_id', 'confidential', 'due_date', 'weight'),
    ...pick(issue, 'time_estimate', 'total_time_spent'),
    discussion_locked: issue.discussion_locked === true,
    state_id: stateIds[issue.state],
    closed_at: hookTime(issue.closed_at),
    labels: labelsNamed(world, issue.project_id, issue.labels).map(hookLabel),
    assignees: hookUsers(world, issue.assignee_ids),
  })
  const updated_at = { previous: hookTime(before.updated_at), current: hookTime(after.updated_at) }
  return { ...changesBetween(fields(before), fields(after)), updated_at }
}
