// Merge requests as the API shows them (api-v4.md §2.4–2.7).
import type { z } from 'zod'
import type {
  mergeRequest as mergeRequestSchema,
  pipeline as pipelineSchema,
  simpleMergeRequest as simpleSchema,
} from '../../api/schemas/merge-request.ts'
import type { mergeTrainCar as trainCarSchema } from '../../api/schemas/merge-train.ts'
import { isPremium } from '../installation.ts'
import { showMilestone } from '../issues/show.ts'
import { pick } from '../records/fields.ts'
import type { MergeRequest, PipelineRecord, TrainCar, User } from '../records/records.ts'
import { showUserById } from '../records/show-records.ts'
import { projectById, type World } from '../storage/world.ts'
import { showTimeStats } from './duration.ts'
import { assigneesOf } from './preconditions.ts'
import {
  detailedMergeStatus,
  discussionsResolved,
  headPipeline,
  isDraft,
  mergeRequestUrl,
  pipelineUrl,
  squashOnMerge,
} from './status.ts'

/** api-v4.md §2.7 */
export function showPipeline(world: World, pipeline: PipelineRecord): z.output<typeof pipelineSchema> {
  return {
    ...pick(pipeline, 'id', 'project_id', 'sha', 'ref', 'status', 'source'),
    web_url: pipelineUrl(world, pipeline),
  }
}

/** With `view=simple` (api-v4.md §2.4). */
export function showSimpleMergeRequest(world: World, mr: MergeRequest): z.output<typeof simpleSchema> {
  return { ...pick(mr, 'iid', 'title', 'description', 'state'), web_url: mergeRequestUrl(world, mr) }
}

/** The list form, without git. */
export function showListedMergeRequest(
  world: World,
  mr: MergeRequest,
  caller: User,
): z.output<typeof mergeRequestSchema> {
  const milestone = mr.milestone_id === null ? undefined : world.milestones.get(mr.milestone_id)
  const awards = world.awards.where('noteable', `MergeRequest:${mr.id}`)
  return {
    ...pick(mr, 'id', 'iid', 'project_id', 'source_branch', 'target_branch', 'title', 'description'),
    ...pick(mr, 'state', 'created_at', 'updated_at', 'merge_when_pipeline_succeeds', 'merge_status', 'sha', 'squash'),
    ...pick(mr, 'merge_commit_sha', 'changes_count', 'should_remove_source_branch', 'force_remove_source_branch'),
    ...pick(mr, 'squash_commit_sha', 'discussion_locked'),
    ...(isPremium(world) && pick(mr, 'approvals_before_merge')),
    squash_on_merge: squashOnMerge(projectById(world, mr.project_id), mr.squash),
    source_project_id: world.projects.get(mr.source_project_id)?.id ?? null,
    target_project_id: mr.project_id,
    upvotes: awards.filter((award) => award.name === 'thumbsup').length,
    downvotes: awards.filter((award) => award.name === 'thumbsdown').length,
    author: showUserById(world, mr.author_id),
    assignee: mr.assignee_id === null ? null : showUserById(world, mr.assignee_id),
    assignees: assigneesOf(mr).map((id) => showUserById(world, id)),
    reviewers: mr.reviewer_ids.map((id) => showUserById(world, id)),
    labels: [...mr.labels].sort(),
    work_in_progress: isDraft(mr),
    draft: isDraft(mr),
    blocking_discussions_resolved: discussionsResolved(world, mr),
    milestone: milestone === undefined ? null : showMilestone(milestone),
    detailed_merge_status: detailedMergeStatus(world, mr),
    subscribed: mr.subscriber_ids.includes(caller.id),
    user_notes_count: world.notes.where('noteable', `MergeRequest:${mr.id}`).filter((note) => !note.system).length,
    web_url: mergeRequestUrl(world, mr),
    time_stats: showTimeStats(mr),
  }
}

export function showMergeRequest(world: World, mr: MergeRequest, caller: User): z.output<typeof mergeRequestSchema> {
  const pipeline = headPipeline(world, mr)
  const head_pipeline = pipeline === undefined ? null : showPipeline(world, pipeline)
  const diff_refs = diffRefsOf(world, mr)
  return { ...showListedMergeRequest(world, mr, caller), head_pipeline, merge_error: mr.merge_error, diff_refs }
}

/** The commits of the newest diff version. */
function diffRefsOf(world: World, mr: MergeRequest): z.output<typeof mergeRequestSchema>['diff_refs'] {
  const version = world.diffVersions.where('mergeRequest', mr.id).at(-1)
  if (version === undefined) return null
  const { base_commit_sha, head_commit_sha, start_commit_sha } = version
  return { base_sha: base_commit_sha, head_sha: head_commit_sha, start_sha: start_commit_sha }
}

/** Its place on a merge train; without a pipeline of the train, with that of its head. */
export function showTrainCar(world: World, mr: MergeRequest, car: TrainCar): z.output<typeof trainCarSchema> {
  const pipeline = car.pipeline_id === undefined ? headPipeline(world, mr) : world.pipelines.get(car.pipeline_id)
  const { id, status, created_at, updated_at, merged_at } = car
  const seconds = merged_at === null ? null : Math.round((Date.parse(merged_at) - Date.parse(created_at)) / 1000)
  return {
    ...{ id, status, created_at, updated_at, merged_at },
    merge_request: {
      ...pick(mr, 'id', 'iid', 'project_id', 'title', 'description', 'state', 'created_at', 'updated_at'),
      web_url: mergeRequestUrl(world, mr),
    },
    user: showUserById(world, car.user_id),
    pipeline: pipeline === undefined ? null : showPipeline(world, pipeline),
    target_branch: mr.target_branch,
    duration: seconds === null ? null : Math.max(0, seconds),
  }
}
