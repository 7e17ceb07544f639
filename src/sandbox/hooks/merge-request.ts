// Merge request payloads.
import { readCommits } from '../git/read-commits.ts'
import { formatDuration } from '../merge-requests/duration.ts'
import { labelsNamed } from '../merge-requests/labels.ts'
import {
  detailedMergeStatus,
  discussionsResolved,
  headPipeline,
  isDraft,
  mergeRequestUrl,
} from '../merge-requests/status.ts'
import { pick } from '../records/fields.ts'
import type { MergeRequest, User } from '../records/records.ts'
import { projectById, type World } from '../storage/world.ts'
import {
  type Changes,
  changesBetween,
  hasHook,
  hookCommit,
  hookLabel,
  hookProject,
  hookRepository,
  hookTime,
  hookUser,
  hookUsers,
} from './parts.ts'

type MergeRequestAction =
  | 'open'
  | 'update'
  | 'close'
  | 'reopen'
  | 'merge'
  | 'approved'
  | 'unapproved'
  | 'approval'
  | 'unapproval'

interface MergeRequestEvent {
  changes?: Changes
  oldrev?: string
  timeChange?: number
  systemAction?: 'approvals_reset_on_push'
}

const stateIds = { opened: 1, closed: 2, merged: 3 }

/** `oldrev`: the former head after a push. `timeChange`: seconds. `systemAction`: the service did it, not `user`. */
export async function sendMergeRequest(
  world: World,
  mr: MergeRequest,
  user: User,
  action: MergeRequestAction,
  { changes = {}, oldrev, timeChange = 0, systemAction }: MergeRequestEvent = {},
): Promise<void> {
  if (!hasHook(world, mr.project_id, 'merge_requests_events')) return
  const project = projectById(world, mr.project_id)
  const described = await hookMergeRequest(world, mr)
  world.send(project, 'merge_requests_events', {
    object_kind: 'merge_request',
    event_type: 'merge_request',
    user: hookUser(user),
    repository: hookRepository(world, project),
    object_attributes: {
      ...described,
      time_change: timeChange,
      human_time_change: formatDuration(timeChange),
      oldrev,
      action,
      system: systemAction !== undefined,
      system_action: systemAction,
    },
    labels: described.labels,
    changes,
    assignees: hookUsers(world, mr.assignee_ids),
    reviewers: hookUsers(world, mr.reviewer_ids),
  })
}

export async function hookMergeRequest(world: World, mr: MergeRequest): Promise<Record<string, unknown>> {
  const project = projectById(world, mr.project_id)
  // The fork may be gone.
  const source = world.projects.get(mr.source_project_id)
  const [lastCommit] = await readCommits(world, project.id, [mr.sha])
  return {
    ...attributes(world, mr),
    source: source === undefined ? null : hookProject(world, source),
    target: hookProject(world, project),
    last_commit: lastCommit === undefined ? null : hookCommit(world, source ?? project, lastCommit),
    labels: labelsNamed(world, project.id, mr.labels).map(hookLabel),
  }
}

function attributes(world: World, mr: MergeRequest): Record<string, unknown> {
  const draft = isDraft(mr)
  return {
    ...pick(mr, 'id', 'iid', 'target_branch', 'source_branch', 'source_project_id', 'author_id', 'assignee_ids'),
    ...pick(mr, 'reviewer_ids', 'title', 'description', 'milestone_id', 'state', 'merge_status', 'merge_commit_sha'),
    ...pick(mr, 'merge_when_pipeline_succeeds', 'merge_error', 'time_estimate', 'total_time_spent'),
    target_project_id: mr.project_id,
    assignee_id: mr.assignee_ids[0] ?? null,
    created_at: hookTime(mr.created_at),
    updated_at: hookTime(mr.updated_at),
    last_edited_at: null,
    last_edited_by_id: null,
    state_id: stateIds[mr.state],
    draft,
    work_in_progress: draft,
    blocking_discussions_resolved: discussionsResolved(world, mr),
    first_contribution: false,
    detailed_merge_status: detailedMergeStatus(world, mr),
    merge_user_id: mr.merged_by_id ?? mr.auto_merge?.user_id ?? null,
    merge_params: { force_remove_source_branch: mr.force_remove_source_branch },
    head_pipeline_id: headPipeline(world, mr)?.id ?? null,
    prepared_at: hookTime(mr.created_at),
    human_time_estimate: formatDuration(mr.time_estimate),
    human_total_time_spent: formatDuration(mr.total_time_spent),
    url: mergeRequestUrl(world, mr),
  }
}

export function mergeRequestChanges(world: World, before: MergeRequest, after: MergeRequest): Changes {
  return changesBetween(changingFields(world, before), changingFields(world, after))
}

function changingFields(world: World, mr: MergeRequest): Record<string, unknown> {
  return {
    ...pick(mr, 'title', 'description', 'target_branch', 'milestone_id', 'squash', 'discussion_locked', 'updated_at'),
    draft: isDraft(mr),
    state_id: stateIds[mr.state],
    labels: labelsNamed(world, mr.project_id, mr.labels).map(hookLabel),
    assignees: hookUsers(world, mr.assignee_ids),
    reviewers: hookUsers(world, mr.reviewer_ids),
  }
}
