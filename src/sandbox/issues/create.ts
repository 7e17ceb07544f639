// Creates an issue and sends its hook, as in GitLab.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { projectLevel, refuseArchived } from '../access/access.ts'
import { sendIssue } from '../hooks/issue.ts'
import { forbidden, invalid } from '../http/error-response.ts'
import { ensureLabels, recordLabelEvents } from '../merge-requests/labels.ts'
import { defined } from '../records/fields.ts'
import type { IssueRecord, Project, User } from '../records/records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'
import { detailsOf } from './details.ts'

/** Throws 403 if issues are disabled, 400 for a blank title. */
export function createIssue(
  world: World,
  project: Project,
  author: User,
  wanted: Omit<CheckedParams<Api['issues']['create']>, 'id'>,
): IssueRecord {
  if (!project.issues_enabled) throw forbidden()
  refuseArchived(project)
  if (wanted.title.trim() === '') throw invalid('title', "can't be blank")
  // Non-members set neither labels, assignees nor milestone, but anyone can report in confidence.
  const isMember = projectLevel(world, author, project) > 0
  const details = isMember ? defined(detailsOf(world, project, { labels: [] }, wanted)) : {}
  ensureLabels(world, project.id, details.labels ?? [])
  const time = now(world)
  const issue = world.issues.add({
    id: nextNumber(world, 'issues'),
    iid: nextNumber(world, `issues of ${project.id}`),
    project_id: project.id,
    title: wanted.title,
    description: wanted.description ?? '',
    state: 'opened',
    author_id: author.id,
    assignee_ids: [],
    labels: [],
    milestone_id: null,
    discussion_locked: null,
    issue_type: wanted.issue_type ?? 'issue',
    due_date: null,
    weight: null,
    time_estimate: 0,
    total_time_spent: 0,
    created_at: time,
    updated_at: time,
    closed_at: null,
    closed_by_id: null,
    ...details,
    confidential: wanted.confidential === true,
    // Author and assignees take part, which subscribes them.
    subscriber_ids: [...new Set([author.id, ...(details.assignee_ids ?? [])])],
  })
  recordLabelEvents(world, author, [], { type: 'Issue', record: issue })
  sendIssue(world, issue, author, 'open')
  return issue
}
