// Accepting a merge request: the order of refusals, merging now, merging when the pipeline succeeds (api-v4.md §3.1, §7).
import { developer, projectLevel } from '../access.ts'
import { branchHead } from '../git/refs.ts'
import type { MergeRequest, Pipeline, Project, User } from '../records.ts'
import { refuse, unauthorized } from '../refusal.ts'
import { now, projectById, userById, type World } from '../world.ts'
import { merge } from './merge.ts'
import { approvalsLeft, checkMergeStatus, headPipeline, isDraft, pipelineAllowsMerge } from './status.ts'

export interface AcceptOptions {
  sha?: string | undefined
  squash?: boolean | undefined
  merge_commit_message?: string | undefined
  should_remove_source_branch?: boolean | undefined
  /** Wait for the pipeline. */
  wait: boolean
}

const cannotBeMerged = 'Branch cannot be merged'

/** PUT …/merge: 401, 406, 405 and 409 in the order of api-v4.md §7. */
export async function accept(
  world: World,
  project: Project,
  found: MergeRequest,
  user: User,
  options: AcceptOptions,
): Promise<MergeRequest> {
  if (projectLevel(world, user, project) < developer) throw unauthorized()
  if (found.state !== 'opened') throw refuse(406, 'Method Not Allowed')
  const checked = await checkMergeStatus(world, found)
  const pipeline = headPipeline(world, checked)
  const waits = options.wait && pipeline?.status !== 'success'
  const blocked =
    checked.merge_status !== 'can_be_merged' ||
    isDraft(checked) ||
    (!waits && (!pipelineAllowsMerge(world, checked, project) || approvalsLeft(world, checked) > 0))
  if (blocked) throw refuse(405, cannotBeMerged)
  const moved = !(await hasRecordedHead(world, checked))
  if (moved || (options.sha !== undefined && options.sha !== '' && options.sha !== checked.sha)) {
    throw refuse(409, 'SHA does not match HEAD of source branch')
  }
  const wanted = {
    squash: options.squash ?? checked.squash,
    merge_commit_message: options.merge_commit_message ?? null,
    should_remove_source_branch: options.should_remove_source_branch ?? null,
  }
  if (waits) {
    return world.mergeRequests.update(checked.id, {
      merge_when_pipeline_succeeds: true,
      auto_merge: { user_id: user.id, ...wanted },
      should_remove_source_branch: wanted.should_remove_source_branch,
      squash: wanted.squash,
      updated_at: now(world),
    })
  }
  const merged = await merge(world, checked, user, wanted)
  if (merged === undefined) throw refuse(405, cannotBeMerged)
  return merged
}

/** False while a push that git has taken waits to be announced: nothing may be merged that the record does not show yet. */
async function hasRecordedHead(world: World, mr: MergeRequest): Promise<boolean> {
  return (await branchHead(world, mr.source_project_id, mr.source_branch)) === mr.sha
}

/** PUT …/cancel_merge_when_pipeline_succeeds: 401, 405, 406. */
export function cancelAutoMerge(world: World, project: Project, mr: MergeRequest, user: User): MergeRequest {
  if (projectLevel(world, user, project) < developer) throw unauthorized()
  if (mr.state !== 'opened') throw refuse(405, 'Method Not Allowed')
  if (!mr.merge_when_pipeline_succeeds) throw refuse(406, 'Not Acceptable')
  return world.mergeRequests.update(mr.id, {
    merge_when_pipeline_succeeds: false,
    auto_merge: null,
    should_remove_source_branch: null,
    updated_at: now(world),
  })
}

/** Merges what waited for this pipeline, as the user who asked for it; what still may not be merged goes on waiting. */
export async function mergeWaiting(world: World, pipeline: Pipeline): Promise<void> {
  if (pipeline.status !== 'success') return
  for (const waiting of world.mergeRequests.where('project', pipeline.project_id)) {
    if (waiting.state !== 'opened' || waiting.auto_merge === null || waiting.sha !== pipeline.sha) continue
    if (headPipeline(world, waiting)?.id !== pipeline.id) continue
    const user = userById(world, waiting.auto_merge.user_id)
    const mr = await checkMergeStatus(world, waiting)
    if (!(await hasRecordedHead(world, mr))) continue
    if (mr.auto_merge === null || mr.merge_status !== 'can_be_merged' || isDraft(mr) || approvalsLeft(world, mr) > 0) continue
    if (projectLevel(world, user, projectById(world, mr.project_id)) < developer) continue
    await merge(world, mr, user, mr.auto_merge)
  }
}
