// Creates, updates and closes issues, also those that a merge closes, and sends their hooks.
import { isDeepStrictEqual } from 'node:util'
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { canSeeProject, projectLevel, refuseArchived } from '../access/access.ts'
import { readDate } from '../access/expiry.ts'
import { commitsBetween } from '../git/read-commits.ts'
import { type IssueAction, issueChanges, sendIssue } from '../hooks/issue.ts'
import { forbidden, invalid } from '../http/error-response.ts'
import { isPremium } from '../installation.ts'
import { ensureLabels, labelsAfter, recordLabelEvents, sameLabels } from '../merge-requests/labels.ts'
import { milestonesFor, readAssignees } from '../merge-requests/preconditions.ts'
import { baseOf } from '../merge-requests/status.ts'
import { defined, pick } from '../records/fields.ts'
import type { IssueRecord, MergeRequest, Project, User } from '../records/records.ts'
import { nextNumber, now, projectById, type World } from '../storage/world.ts'
import { type ClosingReference, closingReferences, projectNamed } from './closing-references.ts'
import { canEditIssue, canSeeIssue } from './find.ts'

type IssuePatch = Partial<
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

type IssueDetails = Partial<Omit<CheckedParams<Api['issues']['update']>, 'id' | 'issue_iid'>>

/** 0 and the empty string clear a field. Throws 400 for a date that does not exist. */
export function detailsOf(world: World, project: Project, before: Pick<IssueRecord, 'labels'>, given: IssueDetails) {
  const { milestone_id, due_date, weight } = given
  const milestone = milestonesFor(world, project).find(({ id }) => id === milestone_id)
  return {
    ...pick(given, 'confidential', 'discussion_locked', 'issue_type'),
    labels: labelsAfter(before.labels, given),
    assignee_ids: readAssignees(world, project, given, canSeeProject),
    // Null also for what the project cannot use.
    milestone_id: milestone_id === undefined ? undefined : (milestone?.id ?? null),
    due_date: due_date === undefined ? undefined : readDate('due_date', due_date),
    weight: isPremium(world) ? (weight === '' ? null : weight) : undefined,
  }
}

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

/** Issues that the user may see, in order of mention; only for merges into the default branch. */
export async function closingIssues(world: World, mr: MergeRequest, user: User): Promise<IssueRecord[]> {
  const references = await referencesOf(world, mr)
  return [...new Set(references.flatMap((reference) => issueAt(world, mr, reference, user) ?? []))]
}

/** Closes the issues that the merging user may edit. */
export async function closeIssuesOf(world: World, mr: MergeRequest, user: User): Promise<void> {
  for (const issue of await closingIssues(world, mr, user)) {
    const project = projectById(world, issue.project_id)
    if (canEditIssue(world, user, project, issue) && !project.archived)
      updateIssue(world, issue, user, { state: 'closed' })
  }
}

async function referencesOf(world: World, mr: MergeRequest): Promise<ClosingReference[]> {
  if (mr.target_branch !== projectById(world, mr.project_id).default_branch) return []
  const commits = await commitsBetween(world, mr.project_id, await baseOf(world, mr), mr.sha)
  const texts = [mr.title, mr.description, ...commits.map((commit) => commit.message)]
  return texts.flatMap((text) => closingReferences(text, world.url))
}

function issueAt(world: World, mr: MergeRequest, { path, iid }: ClosingReference, user: User): IssueRecord | undefined {
  const project = projectNamed(world, mr, path)
  if (project === undefined || !project.issues_enabled || !canSeeProject(world, user, project)) return undefined
  const issue = world.issues.first('iid', `${project.id}:${iid}`)
  return issue !== undefined && canSeeIssue(world, user, project, issue) ? issue : undefined
}
