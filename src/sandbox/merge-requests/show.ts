// Merge requests as the API shows them.
import {
  mergeRequest as mergeRequestSchema,
  pipeline as pipelineSchema,
  simpleMergeRequest as simpleSchema,
} from '../../api/schemas/merge-request.ts'
import { isPremium } from '../installation.ts'
import { pick, shownFields } from '../records/fields.ts'
import type { IssueRecord, MergeRequest, NoteableId, PipelineRecord, TrainCar, User } from '../records/records.ts'
import { showUserById } from '../records/show-records.ts'
import { projectById, type World } from '../storage/world.ts'
import { showTimeStats } from './duration.ts'
import {
  detailedMergeStatus,
  discussionsResolved,
  headPipeline,
  isDraft,
  mergeRequestUrl,
  pipelineUrl,
  squashOnMerge,
} from './status.ts'

/** A pipeline as the API page shows it. */
export function showPipeline(world: World, pipeline: PipelineRecord) {
  return {
    ...shownFields(pipelineSchema, pipeline),
    web_url: pipelineUrl(world, pipeline),
  }
}

/** A merge request with `view=simple`. */
export function showSimpleMergeRequest(world: World, mr: MergeRequest) {
  return { ...shownFields(simpleSchema, mr), web_url: mergeRequestUrl(world, mr) }
}

/** The list form, without git. */
export function showListedMergeRequest(world: World, mr: MergeRequest, caller: User) {
  const detailed_merge_status = detailedMergeStatus(world, mr)
  return {
    ...shownFields(mergeRequestSchema, mr),
    ...showWork(world, 'MergeRequest', mr),
    // Only in the single form.
    merge_error: undefined,
    approvals_before_merge: isPremium(world) ? mr.approvals_before_merge : undefined,
    squash_on_merge: squashOnMerge(projectById(world, mr.project_id), mr.squash),
    source_project_id: world.projects.get(mr.source_project_id)?.id ?? null,
    target_project_id: mr.project_id,
    merged_by: showUserOrNull(world, mr.merged_by_id),
    merge_user: showUserOrNull(world, mr.merged_by_id ?? mr.auto_merge?.user_id),
    has_conflicts: detailed_merge_status === 'conflict',
    references: referencesOf(world, mr, '!'),
    reviewers: mr.reviewer_ids.map((id) => showUserById(world, id)),
    work_in_progress: isDraft(mr),
    draft: isDraft(mr),
    blocking_discussions_resolved: discussionsResolved(world, mr),
    detailed_merge_status,
    subscribed: mr.subscriber_ids.includes(caller.id),
    web_url: mergeRequestUrl(world, mr),
  }
}

export function showMergeRequest(world: World, mr: MergeRequest, caller: User) {
  const pipeline = headPipeline(world, mr)
  const head_pipeline = pipeline === undefined ? null : showPipeline(world, pipeline)
  return {
    ...showListedMergeRequest(world, mr, caller),
    head_pipeline,
    pipeline: head_pipeline,
    merge_error: mr.merge_error,
    diff_refs: diffRefsOf(world, mr),
  }
}

/** The commits of the newest diff version. */
function diffRefsOf(world: World, mr: MergeRequest) {
  const version = world.diffVersions.where('mergeRequest', mr.id).at(-1)
  if (version === undefined) return null
  const { base_commit_sha, head_commit_sha, start_commit_sha } = version
  return { base_sha: base_commit_sha, head_sha: head_commit_sha, start_sha: start_commit_sha }
}

/** Its place on a merge train; without a pipeline of the train, with that of its head. */
export function showTrainCar(world: World, mr: MergeRequest, car: TrainCar) {
  const pipeline = car.pipeline_id === undefined ? headPipeline(world, mr) : world.pipelines.get(car.pipeline_id)
  const { created_at, merged_at } = car
  const seconds = merged_at === null ? null : Math.round((Date.parse(merged_at) - Date.parse(created_at)) / 1000)
  return {
    ...pick(car, 'id', 'status', 'created_at', 'updated_at', 'merged_at'),
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

export function showWork(world: World, type: NoteableId['noteable_type'], work: IssueRecord | MergeRequest) {
  const key = `${type}:${work.id}`
  const awards = world.awards.where('noteable', key)
  const assignees = work.assignee_ids.map((id) => showUserById(world, id))
  return {
    author: showUserById(world, work.author_id),
    assignee: assignees[0] ?? null,
    assignees,
    labels: [...work.labels].sort(),
    milestone: world.milestones.get(work.milestone_id) ?? null,
    user_notes_count: world.notes.where('noteable', key).filter((note) => !note.system).length,
    upvotes: awards.filter(({ name }) => name === 'thumbsup').length,
    downvotes: awards.filter(({ name }) => name === 'thumbsdown').length,
    time_stats: showTimeStats(work),
    task_completion_status: countTasks(work.description),
  }
}

const showUserOrNull = (world: World, id: number | null | undefined) =>
  id === null || id === undefined ? null : showUserById(world, id)

/** The check boxes of a list: `- [ ]` is open. */
function countTasks(description: string) {
  const boxes = [...description.matchAll(/^[ \t]*(?:[-*+]|\d+[.)])[ \t]+\[([ xX])\](?=\s|$)/gm)]
  return { count: boxes.length, completed_count: boxes.filter(([, mark]) => mark !== ' ').length }
}

/** `!1` for a merge request, `#1` for an issue. */
export function referencesOf(world: World, { project_id, iid }: IssueRecord | MergeRequest, mark: '!' | '#') {
  const short = `${mark}${iid}`
  return { short, relative: short, full: `${projectById(world, project_id).path_with_namespace}${short}` }
}
