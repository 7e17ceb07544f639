// Merges what was to be merged when its pipeline succeeds (api-v4.md §3.1).
import type { MergeRequest, Pipeline } from '../records.ts'
import { projectById, userById, type World } from '../world.ts'
import { mayAccept } from './accept.ts'
import { merge } from './merge.ts'
import { approvalsLeft, checkMergeStatus, hasRecordedHead, headPipeline, isDraft } from './status.ts'

/** Called under the lock of the pipeline's project; merge requests into another one, from a fork, are merged under that one's, soon after. */
export async function mergeWaiting(world: World, pipeline: Pipeline): Promise<void> {
  if (pipeline.status !== 'success') return
  const own = pipeline.merge_request_id === undefined ? undefined : world.mergeRequests.get(pipeline.merge_request_id)
  const concerned = pipeline.merge_request_id === undefined ? world.mergeRequests.where('source', pipeline.project_id) : own ? [own] : []
  for (const { id, project_id } of concerned) {
    if (!isReady(world, id, pipeline)) continue
    if (project_id === pipeline.project_id) await mergeReady(world, id, pipeline)
    else world.background(`project ${project_id}`, (ownWorld) => mergeReady(ownWorld, id, pipeline))
  }
}

/** When what stood in the way after the pipeline's success may be gone: an approval came, a draft is none any more. Merges after the answer. */
export function reconsiderWaiting(world: World, mr: MergeRequest): void {
  const pipeline = headPipeline(world, mr)
  if (pipeline === undefined || !isReady(world, mr.id, pipeline)) return
  world.background(`project ${mr.project_id}`, (ownWorld) => mergeReady(ownWorld, mr.id, pipeline))
}

function isReady(world: World, id: number, pipeline: Pipeline): boolean {
  const mr = world.mergeRequests.get(id)
  if (mr === undefined || mr.state !== 'opened' || mr.auto_merge === null) return false
  const head = headPipeline(world, mr)
  return head?.id === pipeline.id && head.status === 'success'
}

/** As the user who asked for it, who has to be allowed to still; what may not be merged yet goes on waiting. */
async function mergeReady(world: World, id: number, pipeline: Pipeline): Promise<void> {
  const waiting = world.mergeRequests.get(id)
  if (waiting === undefined || !isReady(world, id, pipeline)) return
  const mr = await checkMergeStatus(world, waiting)
  if (!(await hasRecordedHead(world, mr)) || !isReady(world, id, pipeline)) return
  if (mr.auto_merge === null || mr.merge_status !== 'can_be_merged' || isDraft(mr) || approvalsLeft(world, mr) > 0) return
  const user = userById(world, mr.auto_merge.user_id)
  if (mayAccept(world, projectById(world, mr.project_id), user)) await merge(world, mr, user, mr.auto_merge)
}
