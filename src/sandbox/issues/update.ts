// Updates an issue and sends its hook (hosting-service.md §2.1).
import { type IssueAction, issueChanges, sendIssue } from '../hooks/issue.ts'
import { ensureLabels, sameLabels } from '../merge-requests/labels.ts'
import type { IssueRecord, User } from '../records/records.ts'
import { now, type World } from '../storage/world.ts'

export type IssuePatch = Partial<
  Pick<IssueRecord, 'title' | 'description' | 'confidential' | 'state' | 'assignee_id' | 'milestone_id' | 'labels'>
>

/** Without a change, nothing is sent. */
export function updateIssue(world: World, issue: IssueRecord, user: User, patch: IssuePatch): IssueRecord {
  const wanted = {
    ...patch,
    ...(patch.labels !== undefined && sameLabels(patch.labels, issue.labels) && { labels: issue.labels }),
  }
  const differs = Object.entries(wanted).some(([key, value]) => value !== issue[key as keyof IssueRecord])
  if (!differs) return issue
  ensureLabels(world, issue.project_id, wanted.labels ?? [])
  const updated_at = now(world)
  const state = wanted.state ?? issue.state
  const closed_at = state === 'opened' ? null : (issue.closed_at ?? updated_at)
  const updated = world.issues.update(issue.id, { ...wanted, closed_at, updated_at })
  sendIssue(world, updated, user, actionOf(issue, updated), issueChanges(world, issue, updated))
  return updated
}

function actionOf(before: IssueRecord, after: IssueRecord): IssueAction {
  if (before.state === after.state) return 'update'
  return after.state === 'closed' ? 'close' : 'reopen'
}
