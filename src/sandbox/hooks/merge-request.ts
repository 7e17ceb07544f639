// Merge request payloads in their current style (hosting-service.md §2.2).
import { readCommits } from '../git/read-commits.ts'
import { formatDuration } from '../merge-requests/duration.ts'
import { labelsNamed } from '../merge-requests/labels.ts'
import { detailedMergeStatus, headPipeline, isDraft, mergeRequestUrl } from '../merge-requests/status.ts'
import type { MergeRequest, User } from '../records.ts'
import { projectById, userById, type World } from '../world.ts'
import { hookCommit, hookLabel, hookProject, hookRepository, hookTime, hookUser } from './parts.ts'

export type MergeRequestAction = 'open' | 'update' | 'close' | 'reopen' | 'merge' | 'approved' | 'unapproved' | 'approval' | 'unapproval'
export type Changes = Record<string, { previous: unknown; current: unknown }>

export const stateIds = { opened: 1, closed: 2, merged: 3 }

/** Sends the hook of something that happened to a merge request; `oldrev` only when commits were pushed, `timeChange` in seconds. */
export async function sendMergeRequest(
  world: World,
  mr: MergeRequest,
  user: User,
  action: MergeRequestAction,
  { changes = {}, oldrev, timeChange = 0 }: { changes?: Changes; oldrev?: string; timeChange?: number } = {},
): Promise<void> {
  // Describing it needs git, which is not asked where nobody listens.
  if (!world.hooks.where('project', mr.project_id).some((hook) => hook.merge_requests_events)) return
  const project = projectById(world, mr.project_id)
  const described = await hookMergeRequest(world, mr)
  const assignee = mr.assignee_id === null ? null : userById(world, mr.assignee_id)
  world.send({
    projectId: project.id,
    flag: 'merge_requests_events',
    name: 'Merge Request Hook',
    payload: {
      object_kind: 'merge_request',
      event_type: 'merge_request',
      user: hookUser(user),
      project: hookProject(world, project),
      repository: hookRepository(world, project),
      object_attributes: {
        ...described,
        time_change: timeChange,
        human_time_change: formatDuration(timeChange),
        ...(oldrev !== undefined && { oldrev }),
        action,
      },
      labels: described.labels,
      changes,
      assignees: assignee === null ? [] : [hookUser(assignee)],
      reviewers: mr.reviewer_ids.map((id) => hookUser(userById(world, id))),
    },
  })
}

/** The merge request itself, as payloads of merge requests and of their notes carry it. */
export async function hookMergeRequest(world: World, mr: MergeRequest): Promise<Record<string, unknown>> {
  const project = projectById(world, mr.project_id)
  // A fork may be gone (hosting-service.md §2.2).
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
    id: mr.id,
    iid: mr.iid,
    target_branch: mr.target_branch,
    source_branch: mr.source_branch,
    source_project_id: mr.source_project_id,
    target_project_id: mr.project_id,
    author_id: mr.author_id,
    assignee_ids: mr.assignee_id === null ? [] : [mr.assignee_id],
    assignee_id: mr.assignee_id,
    reviewer_ids: mr.reviewer_ids,
    title: mr.title,
    description: mr.description,
    created_at: hookTime(mr.created_at),
    updated_at: hookTime(mr.updated_at),
    last_edited_at: null,
    last_edited_by_id: null,
    milestone_id: mr.milestone_id,
    state: mr.state,
    state_id: stateIds[mr.state],
    draft,
    work_in_progress: draft,
    blocking_discussions_resolved: true,
    first_contribution: false,
    merge_status: mr.merge_status,
    detailed_merge_status: detailedMergeStatus(world, mr),
    merge_commit_sha: mr.merge_commit_sha,
    merge_user_id: mr.merged_by_id ?? mr.auto_merge?.user_id ?? null,
    merge_when_pipeline_succeeds: mr.merge_when_pipeline_succeeds,
    merge_error: mr.merge_error,
    merge_params: { force_remove_source_branch: mr.force_remove_source_branch },
    head_pipeline_id: headPipeline(world, mr)?.id ?? null,
    prepared_at: hookTime(mr.created_at),
    time_estimate: mr.time_estimate,
    human_time_estimate: formatDuration(mr.time_estimate),
    total_time_spent: mr.total_time_spent,
    human_total_time_spent: formatDuration(mr.total_time_spent),
    url: mergeRequestUrl(world, mr),
  }
}
