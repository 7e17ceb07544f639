// Updates an issue and sends its hook (hosting-service.md §2.1).
import { isDeepStrictEqual } from 'node:util'
import { type IssueAction, issueChanges, sendIssue } from '../hooks/issue.ts'
import { ensureLabels, recordLabelEvents, sameLabels } from '../merge-requests/labels.ts'
import { assigneesOf, subscribersOf } from '../merge-requests/preconditions.ts'
import type { IssueRecord, User } from '../records/records.ts'
import { now, type World } from '../storage/world.ts'

export type IssuePatch = Partial<
  Omit<IssueRecord, 'id' | 'iid' | 'project_id' | 'author_id' | 'created_at' | 'updated_at' | 'closed_at'>
>

/** What a record that says nothing of a field means. */
const unset: Partial<IssueRecord> = {
  ...{ confidential: false, discussion_locked: false, issue_type: 'issue' },
  ...{ due_date: null, weight: null, time_estimate: 0, total_time_spent: 0 },
}

/** Without a change, nothing is sent. */
export function updateIssue(world: World, issue: IssueRecord, user: User, patch: IssuePatch): IssueRecord {
  const wanted = {
    ...patch,
    ...(patch.labels !== undefined && sameLabels(patch.labels, issue.labels) && { labels: issue.labels }),
  }
  const before = { ...unset, ...issue, assignee_ids: assigneesOf(issue) }
  const differs = Object.entries(wanted).some(
    ([key, value]) => !isDeepStrictEqual(value, before[key as keyof IssueRecord]),
  )
  if (!differs) return issue
  ensureLabels(world, issue.project_id, wanted.labels ?? [])
  const updated_at = now(world)
  const updated = world.issues.update(issue.id, {
    ...wanted,
    ...subscribedAssignees(issue, wanted),
    ...closing(issue, wanted.state ?? issue.state, user, updated_at),
    updated_at,
  })
  recordLabelEvents(world, user, issue.labels, { type: 'Issue', record: updated })
  sendIssue(world, updated, user, actionOf(issue, updated), {
    changes: issueChanges(world, issue, updated),
    timeChange: (updated.total_time_spent ?? 0) - (issue.total_time_spent ?? 0),
  })
  return updated
}

function closing(issue: IssueRecord, state: IssueRecord['state'], user: User, time: string) {
  if (state === issue.state) return {}
  return state === 'closed' ? { closed_at: time, closed_by_id: user.id } : { closed_at: null, closed_by_id: null }
}

/** New assignees take part, which subscribes them. */
function subscribedAssignees(issue: IssueRecord, { assignee_ids = [] }: IssuePatch) {
  const before = [...subscribersOf(issue), ...assigneesOf(issue)]
  const added = assignee_ids.filter((id) => !before.includes(id))
  return added.length === 0 ? {} : { subscriber_ids: [...subscribersOf(issue), ...added] }
}

function actionOf(before: IssueRecord, after: IssueRecord): IssueAction {
  if (before.state === after.state) return 'update'
  return after.state === 'closed' ? 'close' : 'reopen'
}
