// Merge requests as the API shows them (api-v4.md §2.4–2.7).
import type { z } from 'zod'
import type {
  approvals as approvalsSchema,
  mergeRequest as mergeRequestSchema,
  pipeline as pipelineSchema,
  timeStats as timeStatsSchema,
} from '../../api/schemas/merge-request.ts'
import { developer, projectLevel } from '../access.ts'
import type { MergeRequest, Pipeline, User } from '../records.ts'
import { showUserSummary } from '../show.ts'
import { projectById, userById, type World } from '../world.ts'
import { formatDuration } from './duration.ts'
import { approvalsLeft, approvalsRequired, detailedMergeStatus, headPipeline, isDraft, mergeRequestUrl } from './status.ts'

/** api-v4.md §2.5 */
export function showTimeStats(mr: MergeRequest): z.output<typeof timeStatsSchema> {
  return {
    time_estimate: mr.time_estimate,
    total_time_spent: mr.total_time_spent,
    human_time_estimate: formatDuration(mr.time_estimate),
    human_total_time_spent: formatDuration(mr.total_time_spent),
  }
}

/** api-v4.md §2.7 */
export function showPipeline({ id, sha, ref, status, source }: Pipeline): z.output<typeof pipelineSchema> {
  return { id, sha, ref, status, source }
}

/** api-v4.md §2.4, as lists show it. */
export function showListedMergeRequest(world: World, mr: MergeRequest, caller: User): z.output<typeof mergeRequestSchema> {
  return {
    id: mr.id,
    iid: mr.iid,
    project_id: mr.project_id,
    source_project_id: mr.source_project_id,
    target_project_id: mr.project_id,
    source_branch: mr.source_branch,
    target_branch: mr.target_branch,
    title: mr.title,
    description: mr.description,
    state: mr.state,
    created_at: mr.created_at,
    updated_at: mr.updated_at,
    upvotes: 0,
    downvotes: 0,
    author: showUserSummary(world, userById(world, mr.author_id)),
    assignee: mr.assignee_id === null ? null : showUserSummary(world, userById(world, mr.assignee_id)),
    labels: [...mr.labels].sort(),
    work_in_progress: isDraft(mr),
    milestone: null,
    merge_when_pipeline_succeeds: mr.merge_when_pipeline_succeeds,
    merge_status: mr.merge_status,
    detailed_merge_status: detailedMergeStatus(world, mr),
    subscribed: mr.subscriber_ids.includes(caller.id),
    sha: mr.sha,
    merge_commit_sha: mr.merge_commit_sha,
    user_notes_count: 0,
    changes_count: mr.changes_count,
    should_remove_source_branch: mr.should_remove_source_branch,
    force_remove_source_branch: mr.force_remove_source_branch,
    squash: mr.squash,
    web_url: mergeRequestUrl(world, mr),
    discussion_locked: mr.discussion_locked,
    time_stats: showTimeStats(mr),
    approvals_before_merge: mr.approvals_before_merge,
  }
}

/** A single merge request: with its head pipeline. */
export function showMergeRequest(world: World, mr: MergeRequest, caller: User): z.output<typeof mergeRequestSchema> {
  const pipeline = headPipeline(world, mr)
  return { ...showListedMergeRequest(world, mr, caller), head_pipeline: pipeline === undefined ? null : showPipeline(pipeline) }
}

/** api-v4.md §2.6; both names of what is missing. */
export function showApprovals(world: World, mr: MergeRequest, caller: User): z.output<typeof approvalsSchema> {
  const left = approvalsLeft(world, mr)
  const approved = mr.approved_by.includes(caller.id)
  return {
    id: mr.id,
    iid: mr.iid,
    project_id: mr.project_id,
    title: mr.title,
    description: mr.description,
    state: mr.state,
    merge_status: mr.merge_status,
    created_at: mr.created_at,
    updated_at: mr.updated_at,
    approvals_required: approvalsRequired(world, mr),
    approvals_missing: left,
    approvals_left: left,
    approved_by: mr.approved_by.map((id) => ({ user: showUserSummary(world, userById(world, id)) })),
    user_has_approved: approved,
    user_can_approve: !approved && projectLevel(world, caller, projectById(world, mr.project_id)) >= developer,
  }
}
