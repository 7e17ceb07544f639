// Issues in GitLab's shapes.
import type { z } from 'zod'
import { issue as issueSchema } from '../../api/schemas/issue.ts'
import { isPremium } from '../installation.ts'
import { showWork } from '../merge-requests/show-work.ts'
import { shownFields } from '../records/fields.ts'
import type { IssueRecord, User } from '../records/records.ts'
import { showUserById } from '../records/show-records.ts'
import { projectById, type World } from '../storage/world.ts'
import { countClosing } from './mentions.ts'

type Shown = z.output<typeof issueSchema>

export function issueUrl(world: World, issue: IssueRecord): string {
  return `${world.url}/${projectById(world, issue.project_id).path_with_namespace}/-/issues/${issue.iid}`
}

/** An issue as lists show it. */
export function showIssue(world: World, issue: IssueRecord): Shown {
  return {
    ...shownFields(issueSchema, issue),
    ...showWork(world, 'Issue', issue),
    closed_by: issue.closed_by_id === null ? null : showUserById(world, issue.closed_by_id),
    merge_requests_count: countClosing(world, issue),
    web_url: issueUrl(world, issue),
    type: issue.issue_type.toUpperCase(),
    weight: isPremium(world) ? issue.weight : undefined,
    ...tasksOf(issue),
    references: referencesOf(world, issue),
    severity: 'UNKNOWN',
    moved_to_id: null,
  }
}

/** A single issue, which also says whether the caller is subscribed. */
export function showSingleIssue(world: World, issue: IssueRecord, caller: User | null): Shown {
  return { ...showIssue(world, issue), subscribed: caller !== null && issue.subscriber_ids.includes(caller.id) }
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
