// Creates an issue and sends its hook, as in GitLab.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { projectLevel, refuseArchived } from '../access/access.ts'
import { sendIssue } from '../hooks/issue.ts'
import { forbidden, invalid } from '../http/error-response.ts'
import { ensureLabels, recordLabelEvents } from '../merge-requests/labels.ts'
import { assignedTo } from '../merge-requests/preconditions.ts'
import type { IssueRecord, Project, User } from '../records/records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'
import { detailsOf } from './details.ts'

/** Throws 403 where issues are disabled, 400 for a blank title. */
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
  const details = isMember ? detailsOf(world, project, { labels: [] }, wanted) : {}
  ensureLabels(world, project.id, details.labels ?? [])
  const time = now(world)
  const issue = world.issues.add({
    ...assignedTo([]),
    milestone_id: null,
    labels: [],
    issue_type: wanted.issue_type ?? 'issue',
    ...details,
    id: nextNumber(world, 'issues'),
    iid: nextNumber(world, `issues of ${project.id}`),
    project_id: project.id,
    title: wanted.title,
    description: wanted.description ?? '',
    confidential: wanted.confidential === true,
    state: 'opened',
    author_id: author.id,
    // Author and assignees take part, which subscribes them.
    subscriber_ids: [...new Set([author.id, ...(details.assignee_ids ?? [])])],
    created_at: time,
    updated_at: time,
    closed_at: null,
  })
  recordLabelEvents(world, author, [], { type: 'Issue', record: issue })
  sendIssue(world, issue, author, 'open')
  return issue
}
