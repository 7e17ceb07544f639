// Issues and milestones in GitLab's shapes.
import type { z } from 'zod'
import type { issue as issueSchema, milestone as milestoneSchema } from '../../api/schemas/issue.ts'
import { isPremium } from '../installation.ts'
import { showTimeStats } from '../merge-requests/duration.ts'
import { assigneesOf, subscribersOf } from '../merge-requests/preconditions.ts'
import { pick } from '../records/fields.ts'
import type { IssueRecord, Milestone, User } from '../records/records.ts'
import { showUserById } from '../records/show-records.ts'
import { projectById, type World } from '../storage/world.ts'
import { countClosing } from './mentions.ts'

type Shown = z.output<typeof issueSchema>

export function showMilestone(milestone: Milestone): z.output<typeof milestoneSchema> {
  return milestone
}

export function issueUrl(world: World, issue: IssueRecord): string {
  return `${world.url}/${projectById(world, issue.project_id).path_with_namespace}/-/issues/${issue.iid}`
}

/** As in a list. */
export function showIssue(world: World, issue: IssueRecord): Shown {
  const milestone = issue.milestone_id === null ? undefined : world.milestones.get(issue.milestone_id)
  const awards = world.awards.where('noteable', `Issue:${issue.id}`)
  const type = issue.issue_type ?? 'issue'
  return {
    ...pick(issue, 'id', 'iid', 'project_id', 'title', 'description', 'state'),
    ...pick(issue, 'created_at', 'updated_at', 'closed_at'),
    closed_by: typeof issue.closed_by_id === 'number' ? showUserById(world, issue.closed_by_id) : null,
    author: showUserById(world, issue.author_id),
    assignee: issue.assignee_id === null ? null : showUserById(world, issue.assignee_id),
    assignees: assigneesOf(issue).map((id) => showUserById(world, id)),
    labels: [...issue.labels].sort(),
    milestone: milestone === undefined ? null : showMilestone(milestone),
    user_notes_count: world.notes.where('noteable', `Issue:${issue.id}`).filter((note) => !note.system).length,
    merge_requests_count: countClosing(world, issue),
    upvotes: awards.filter(({ name }) => name === 'thumbsup').length,
    downvotes: awards.filter(({ name }) => name === 'thumbsdown').length,
    web_url: issueUrl(world, issue),
    due_date: issue.due_date ?? null,
    confidential: issue.confidential === true,
    discussion_locked: issue.discussion_locked ?? null,
    issue_type: type,
    type: type.toUpperCase(),
    ...(isPremium(world) && { weight: issue.weight ?? null }),
    time_stats: showTimeStats(issue),
    ...tasksOf(issue),
    references: referencesOf(world, issue),
    severity: 'UNKNOWN',
    moved_to_id: null,
  }
}

/** One alone, which says whether the caller is subscribed. */
export function showSingleIssue(world: World, issue: IssueRecord, caller: User | null): Shown {
  return { ...showIssue(world, issue), subscribed: caller !== null && subscribersOf(issue).includes(caller.id) }
}

function referencesOf(world: World, { project_id, iid }: IssueRecord) {
  const short = `#${iid}`
  return { short, relative: short, full: `${projectById(world, project_id).path_with_namespace}${short}` }
}

/** Items such as `- [x] done`, outside of fenced code. */
function tasksOf({ description }: IssueRecord): Pick<Shown, 'task_completion_status' | 'has_tasks' | 'task_status'> {
  const marks = linesOutsideCode(description).flatMap((line) => taskItem.exec(line)?.[1] ?? [])
  const [count, completed_count] = [marks.length, marks.filter((mark) => mark !== ' ').length]
  return {
    task_completion_status: { count, completed_count },
    has_tasks: count > 0,
    ...(count > 0 && { task_status: `${completed_count} of ${count} checklist items completed` }),
  }
}

const taskItem = /^[ \t>]{0,100}(?:[-*+]|\d{1,9}[.)])[ \t]{1,10}\[([ xX])\][ \t]/

function linesOutsideCode(text: string): string[] {
  let fence: string | undefined
  return text.split('\n').filter((line) => {
    const mark = /^ {0,3}(```|~~~)/.exec(line)?.[1]
    if (mark === undefined) return fence === undefined
    if (fence === undefined) fence = mark
    else if (fence === mark) fence = undefined
    return false
  })
}
