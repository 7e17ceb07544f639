// Issues in GitLab's shapes.
import type { z } from 'zod'
import { issue as issueSchema } from '../../api/schemas/issue.ts'
import { isPremium } from '../installation.ts'
import { showWork } from '../merge-requests/show.ts'
import { shownFields } from '../records/fields.ts'
import type { IssueRecord, User } from '../records/records.ts'
import { showUserById } from '../records/show-records.ts'
import { projectById, type World } from '../storage/world.ts'
import { countClosing } from './closing-references.ts'

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
    references: referencesOf(world, issue),
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
