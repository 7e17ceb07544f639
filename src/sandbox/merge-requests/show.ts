// Merge requests as the API shows them (api-v4.md §2.4–2.7).
import type { z } from 'zod'
import type {
  approvals as approvalsSchema,
  mergeRequest as mergeRequestSchema,
  pipeline as pipelineSchema,
  simpleMergeRequest as simpleSchema,
  timeStats as timeStatsSchema,
  todo as todoSchema,
} from '../../api/schemas/merge-request.ts'
import { showMilestone } from '../issues/show.ts'
import type { MergeRequest, Pipeline, Todo, User } from '../records.ts'
import { showNamespace, showUserSummary } from '../show.ts'
import { projectById, userById, type World } from '../world.ts'
import { formatDuration } from './duration.ts'
import { mayApprove } from './preconditions.ts'
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

/** With `view=simple` (api-v4.md §2.4). */
export function showSimpleMergeRequest(world: World, mr: MergeRequest): z.output<typeof simpleSchema> {
  const { iid, title, description, state } = mr
  return { iid, web_url: mergeRequestUrl(world, mr), title, description, state }
}

/** api-v4.md §2.4, as lists show it: without a look at git. */
export function showListedMergeRequest(world: World, mr: MergeRequest, caller: User): z.output<typeof mergeRequestSchema> {
  const milestone = mr.milestone_id === null ? undefined : world.milestones.get(mr.milestone_id)
  const awards = world.awards.where('mergeRequest', mr.id)
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
    upvotes: awards.filter((award) => award.name === 'thumbsup').length,
    downvotes: awards.filter((award) => award.name === 'thumbsdown').length,
    author: showUserSummary(world, userById(world, mr.author_id)),
    assignee: mr.assignee_id === null ? null : showUserSummary(world, userById(world, mr.assignee_id)),
    reviewers: mr.reviewer_ids.map((id) => showUserSummary(world, userById(world, id))),
    labels: [...mr.labels].sort(),
    work_in_progress: isDraft(mr),
    milestone: milestone === undefined ? null : showMilestone(milestone),
    merge_when_pipeline_succeeds: mr.merge_when_pipeline_succeeds,
    merge_status: mr.merge_status,
    detailed_merge_status: detailedMergeStatus(world, mr),
    subscribed: mr.subscriber_ids.includes(caller.id),
    sha: mr.sha,
    merge_commit_sha: mr.merge_commit_sha,
    user_notes_count: world.notes.where('noteable', `MergeRequest:${mr.id}`).filter((note) => !note.system).length,
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

/** A single merge request: with its head pipeline, and what last went wrong. */
export function showMergeRequest(world: World, mr: MergeRequest, caller: User): z.output<typeof mergeRequestSchema> {
  const pipeline = headPipeline(world, mr)
  const head_pipeline = pipeline === undefined ? null : showPipeline(pipeline)
  return { ...showListedMergeRequest(world, mr, caller), head_pipeline, merge_error: mr.merge_error }
}

/** api-v4.md §2.6; both names of what is missing. */
export function showApprovals(world: World, mr: MergeRequest, caller: User): z.output<typeof approvalsSchema> {
  const left = approvalsLeft(world, mr)
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
    user_has_approved: mr.approved_by.includes(caller.id),
    user_can_approve: mayApprove(world, mr, caller),
  }
}

/** api-v4.md §2.7; whoever marks a merge request is the author of the todo. */
export function showTodo(world: World, todo: Todo, mr: MergeRequest, caller: User): z.output<typeof todoSchema> {
  const { id, name, path, path_with_namespace, namespace_id } = projectById(world, mr.project_id)
  const name_with_namespace = `${showNamespace(world, namespace_id).full_name} / ${name}`
  return {
    id: todo.id,
    project: { id, name, name_with_namespace, path, path_with_namespace },
    author: showUserSummary(world, userById(world, todo.user_id)),
    action_name: 'marked',
    target_type: 'MergeRequest',
    target: showMergeRequest(world, mr, caller),
    target_url: mergeRequestUrl(world, mr),
    body: mr.title,
    state: todo.state,
    created_at: todo.created_at,
  }
}
