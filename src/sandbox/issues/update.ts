// Updates an issue and sends its hook (hosting-service.md §2.1).
import { type IssueAction, issueStateIds, sendIssue } from '../hooks/issue.ts'
import { hookLabel, hookTime, hookUsers } from '../hooks/parts.ts'
import { ensureLabels, labelsNamed } from '../merge-requests/labels.ts'
import type { IssueRecord, User } from '../records/records.ts'
import { now, type World } from '../storage/world.ts'

export type IssuePatch = Partial<
  Pick<IssueRecord, 'title' | 'description' | 'confidential' | 'state' | 'assignee_id' | 'milestone_id' | 'labels'>
>

/** Without a change, nothing is sent. */
export function updateIssue(world: World, issue: IssueRecord, user: User, patch: IssuePatch): IssueRecord {
  const wanted = {
    ...patch,
    ...(patch.labels !== undefined && sameNames(patch.labels, issue.labels) && { labels: issue.labels }),
  }
  const differs = Object.entries(wanted).some(([key, value]) => value !== issue[key as keyof IssueRecord])
  if (!differs) return issue
  ensureLabels(world, issue.project_id, wanted.labels ?? [])
  const updated_at = now(world)
  const state = wanted.state ?? issue.state
  const closed_at = state === 'opened' ? null : (issue.closed_at ?? updated_at)
  const updated = world.issues.update(issue.id, { ...wanted, closed_at, updated_at })
  sendIssue(world, updated, user, actionOf(issue, updated), changesBetween(world, issue, updated))
  return updated
}

function sameNames(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each) => other.includes(each))
}

function actionOf(before: IssueRecord, after: IssueRecord): IssueAction {
  if (before.state === after.state) return 'update'
  return after.state === 'closed' ? 'close' : 'reopen'
}

function changesBetween(
  world: World,
  before: IssueRecord,
  after: IssueRecord,
): Record<string, { previous: unknown; current: unknown }> {
  const labels = (issue: IssueRecord) => labelsNamed(world, issue.project_id, issue.labels).map(hookLabel)
  const assignees = (issue: IssueRecord) => hookUsers(world, [issue.assignee_id])
  const both = (read: (issue: IssueRecord) => unknown) => ({ previous: read(before), current: read(after) })
  const changes = {
    title: both((issue) => issue.title),
    description: both((issue) => issue.description),
    state_id: both((issue) => issueStateIds[issue.state]),
    closed_at: both((issue) => hookTime(issue.closed_at)),
    milestone_id: both((issue) => issue.milestone_id),
    labels: both(labels),
    assignees: both(assignees),
    updated_at: both((issue) => hookTime(issue.updated_at)),
  }
  const moved = Object.entries(changes).filter(
    ([field, { previous, current }]) => field === 'updated_at' || JSON.stringify(previous) !== JSON.stringify(current),
  )
  return Object.fromEntries(moved)
}
