// Updates an issue and sends its hook.
import { isDeepStrictEqual } from 'node:util'
import { type IssueAction, issueChanges, sendIssue } from '../hooks/issue.ts'
import { ensureLabels, recordLabelEvents, sameLabels } from '../merge-requests/labels.ts'
import type { IssueRecord, User } from '../records/records.ts'
import { now, type World } from '../storage/world.ts'

export type IssuePatch = Partial<
  Omit<IssueRecord, 'id' | 'iid' | 'project_id' | 'author_id' | 'created_at' | 'updated_at' | 'closed_at'>
>

/** Without a change, nothing is sent. */
export function updateIssue(world: World, issue: IssueRecord, user: User, patch: IssuePatch): IssueRecord {
  const sameLabelled = patch.labels !== undefined && sameLabels(patch.labels, issue.labels)
  const wanted = { ...patch, labels: sameLabelled ? issue.labels : patch.labels }
  const before = { ...issue, discussion_locked: issue.discussion_locked ?? false }
  const differs = Object.entries(wanted).some(
    ([key, value]) => value !== undefined && !isDeepStrictEqual(value, before[key as keyof IssueRecord]),
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
    timeChange: updated.total_time_spent - issue.total_time_spent,
  })
  return updated
}

function closing(issue: IssueRecord, state: IssueRecord['state'], user: User, time: string) {
  if (state === issue.state) return {}
  return state === 'closed' ? { closed_at: time, closed_by_id: user.id } : { closed_at: null, closed_by_id: null }
}

/** New assignees take part, which subscribes them. */
function subscribedAssignees(issue: IssueRecord, { assignee_ids = [] }: IssuePatch) {
  const before = [...issue.subscriber_ids, ...issue.assignee_ids]
  const added = assignee_ids.filter((id) => !before.includes(id))
  return added.length === 0 ? {} : { subscriber_ids: [...issue.subscriber_ids, ...added] }
}

function actionOf(before: IssueRecord, after: IssueRecord): IssueAction {
  if (before.state === after.state) return 'update'
  return after.state === 'closed' ? 'close' : 'reopen'
}
