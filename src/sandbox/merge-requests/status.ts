// Mergeability and what blocks it.
import { countChanges, mergeBase } from '../git/read-commits.ts'
import { announcedHead } from '../git/refs.ts'
import { mergeTree } from '../git/write-commits.ts'
import { isPremium } from '../installation.ts'
import type { MergeRequest, PipelineRecord, Project } from '../records/records.ts'
import { projectById, type State, type World, webUrl } from '../storage/world.ts'
import { sourceHead } from './find.ts'

/** The beginning of a title that makes a draft. */
const draftPrefix = /^\s*(?:draft:|\[draft\]|\(draft\))\s*/i

export function isDraft({ title }: Pick<MergeRequest, 'title'>): boolean {
  return draftPrefix.test(title)
}

export function mergeRequestUrl(world: World, mr: MergeRequest): string {
  return `${webUrl(world, projectById(world, mr.project_id))}/-/merge_requests/${mr.iid}`
}

export function pipelineUrl(world: World, { project_id, id }: PipelineRecord): string {
  return `${webUrl(world, projectById(world, project_id))}/-/pipelines/${id}`
}

/** The newest pipeline of the head: its own before branches', its branch's before others, never a child. */
export function headPipeline(world: State, mr: MergeRequest): PipelineRecord | undefined {
  const own = world.pipelines
    .where('mergeRequest', mr.id)
    .filter(({ sha, source_sha }) => (source_sha ?? sha) === mr.sha)
  const ofHead = world.pipelines
    .where('sha', `${mr.source_project_id}:${mr.sha}`)
    .filter(({ merge_request_id, parent_id }) => merge_request_id === undefined && parent_id === undefined)
  return own.at(-1) ?? ofHead.filter((pipeline) => pipeline.ref === mr.source_branch).at(-1) ?? ofHead.at(-1)
}

/** Premium; the merge request's own number counts only if the project requires approvals. */
export function approvalsRequired(world: World, mr: MergeRequest): number {
  const { approvals_before_merge } = projectById(world, mr.project_id)
  if (!isPremium(world) || approvals_before_merge === 0) return 0
  return Math.max(approvals_before_merge, mr.approvals_before_merge ?? 0)
}

/** The fields of a merge request that waits for no pipeline. */
export const noAutoMerge = {
  merge_when_pipeline_succeeds: false,
  auto_merge: null,
  train_car: null,
  should_remove_source_branch: null,
} as const

export function approvalsLeft(world: World, mr: MergeRequest): number {
  return Math.max(0, approvalsRequired(world, mr) - mr.approved_by.length)
}

/** What the project's setting makes of the request for squashing. */
export function squashOnMerge({ squash_option }: Project, squash: boolean): boolean {
  return squash_option === 'always' || (squash_option !== 'never' && squash)
}

/** A skipped pipeline succeeded only if the project says so. */
export function pipelineSucceeded(world: World, mr: MergeRequest, project: Project): boolean {
  const status = headPipeline(world, mr)?.status
  return status === 'success' || (status === 'skipped' && project.allow_merge_on_skipped_pipeline)
}

/** Whether the requirement was met and no longer is; always without a requirement. */
export function losesApproval(world: World, before: MergeRequest, after: MergeRequest): boolean {
  return (
    approvalsRequired(world, before) === 0 || (approvalsLeft(world, before) === 0 && approvalsLeft(world, after) > 0)
  )
}

export function pipelineAllowsMerge(world: World, mr: MergeRequest, project: Project): boolean {
  return !project.only_allow_merge_if_pipeline_succeeds || pipelineSucceeded(world, mr, project)
}

/** Whether no thread is open. */
export function discussionsResolved(world: World, mr: MergeRequest): boolean {
  return !world.notes.where('noteable', `MergeRequest:${mr.id}`).some((note) => note.resolved === false)
}

function discussionsAllowMerge(world: World, mr: MergeRequest, project: Project): boolean {
  return !project.only_allow_merge_if_all_discussions_are_resolved || discussionsResolved(world, mr)
}

/** Whether a person still has to act: it is a draft, lacks approvals, or an open thread or merge request blocks it. */
export function waitsForPeople(world: World, mr: MergeRequest): boolean {
  const isOpenThread = !discussionsAllowMerge(world, mr, projectById(world, mr.project_id))
  return isDraft(mr) || approvalsLeft(world, mr) > 0 || isOpenThread || isBlocked(world, mr)
}

/** Whether the merge method wants the source on top of its target first; as of the last check. */
export function needsRebase(world: World, mr: MergeRequest): boolean {
  const project = projectById(world, mr.project_id)
  if (project.merge_method === 'merge' || project.automatic_rebase_enabled) return false
  return mr.merge_status_of !== headsOf(mr.base_sha ?? undefined, mr)
}

/** The first obstacle. */
export function detailedMergeStatus(world: World, mr: MergeRequest): string {
  if (mr.state !== 'opened') return 'not_open'
  if (mr.merge_status === 'unchecked') return 'unchecked'
  if (mr.merge_status === 'cannot_be_merged') return mr.base_sha === mr.sha ? 'commits_status' : 'conflict'
  if (isDraft(mr)) return 'draft_status'
  if (!discussionsAllowMerge(world, mr, projectById(world, mr.project_id))) return 'discussions_not_resolved'
  if (isBlocked(world, mr)) return 'merge_request_blocked'
  if (needsRebase(world, mr)) return 'need_rebase'
  if (!pipelineAllowsMerge(world, mr, projectById(world, mr.project_id))) {
    const status = headPipeline(world, mr)?.status ?? ''
    return ['created', 'pending', 'running'].includes(status) ? 'ci_still_running' : 'ci_must_pass'
  }
  return approvalsLeft(world, mr) > 0 ? 'not_approved' : 'mergeable'
}

export async function measure(world: World, mr: Pick<MergeRequest, 'project_id' | 'target_branch' | 'sha'>) {
  const target = announcedHead(world, mr.project_id, mr.target_branch)
  const base_sha = target === undefined ? null : await mergeBase(world, mr.project_id, target, mr.sha)
  return { base_sha, changes_count: await countChanges(world, mr.project_id, base_sha, mr.sha) }
}

/** The merge base: as of the merge, or now; the last known one without a target branch. */
export async function baseOf(world: World, mr: MergeRequest): Promise<string | null> {
  const target = mr.state === 'merged' ? undefined : announcedHead(world, mr.project_id, mr.target_branch)
  return target === undefined ? mr.base_sha : mergeBase(world, mr.project_id, target, mr.sha)
}

/** False before a push is announced and when the branch is gone: only a recorded head may be merged. */
export async function hasRecordedHead(world: World, mr: MergeRequest): Promise<boolean> {
  return (await sourceHead(world, mr)) === mr.sha
}

/** The value of `merge_status_of`. */
export function headsOf(target: string | undefined, mr: MergeRequest): string {
  return `${target ?? ''}:${mr.sha}`
}

/** Computes `merge_status` with a merge of trees, unless it is known for the present heads. */
export async function checkMergeStatus(world: World, mr: MergeRequest): Promise<MergeRequest> {
  if (mr.state !== 'opened') return mr
  const target = announcedHead(world, mr.project_id, mr.target_branch)
  const source = announcedHead(world, mr.source_project_id, mr.source_branch)
  const heads = headsOf(target, mr)
  if (mr.merge_status !== 'unchecked' && mr.merge_status_of === heads && source !== undefined) return mr
  const { base_sha, changes_count } = target === undefined ? mr : await measure(world, mr)
  const mergeable =
    target !== undefined &&
    source !== undefined &&
    base_sha !== mr.sha &&
    (await mergeTree(world, mr.project_id, target, mr.sha)) !== null
  const present = world.mergeRequests.get(mr.id)
  if (present === undefined) return mr
  // Something moved meanwhile: the result is stale.
  if (present.sha !== mr.sha || present.state !== 'opened' || present.target_branch !== mr.target_branch) return present
  return world.mergeRequests.update(mr.id, {
    base_sha,
    changes_count,
    merge_status: mergeable ? 'can_be_merged' : 'cannot_be_merged',
    merge_status_of: heads,
  })
}

/** One that is closed blocks as well; one that was deleted does not. */
export function isBlocked(world: World, { id }: Pick<MergeRequest, 'id'>): boolean {
  if (!isPremium(world)) return false
  const blocking = world.blocks.where('mergeRequest', id).map(({ blocking_id }) => world.mergeRequests.get(blocking_id))
  return blocking.some((each) => each !== undefined && each.state !== 'merged')
}
