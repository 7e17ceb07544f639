// Merges requests that waited for their pipeline.
import {
  checkMergeStatus,
  hasRecordedHead,
  headPipeline,
  needsRebase,
  pipelineSucceeded,
  waitsForPeople,
} from '../merge-requests/status.ts'
import type { MergeRequest, PipelineRecord } from '../records/records.ts'
import { projectById, userById, type World } from '../storage/world.ts'
import { mayAccept } from './accept.ts'
import { merge } from './merge.ts'
import { boardWhenReady, retryTrain } from './merge-train.ts'
import { isOfTrain } from './run-train.ts'

/** Called under the lock of the pipeline's project; merges into other projects run in the background under theirs. */
export async function mergeAfterPipeline(world: World, pipeline: PipelineRecord): Promise<void> {
  const own = world.mergeRequests.get(pipeline.merge_request_id)
  // However it ended, the train goes on.
  if (own !== undefined && isOfTrain(pipeline)) return retryTrain(world, own)
  if (pipeline.status !== 'success' && pipeline.status !== 'skipped') return
  const ofBranch = pipeline.merge_request_id === undefined
  for (const mr of ofBranch ? world.mergeRequests.where('source', pipeline.project_id) : [own]) {
    if (mr === undefined) continue
    const { id, project_id } = mr
    // It may hold up its train, also when it has just left it.
    retryTrain(world, mr)
    if (!isReady(world, id, pipeline)) continue
    if (project_id === pipeline.project_id) await mergeReady(world, id, pipeline)
    else world.background(`project ${project_id}`, (ownWorld) => mergeReady(ownWorld, id, pipeline))
  }
}

/** Called after an approval or a draft change. Merges after the response. */
export function retryAutoMerge(world: World, mr: MergeRequest): void {
  retryTrain(world, mr)
  const pipeline = headPipeline(world, mr)
  if (!isReady(world, mr.id, pipeline)) return
  world.background(`project ${mr.project_id}`, (ownWorld) => mergeReady(ownWorld, mr.id, pipeline))
}

/** Retries the merge requests that waited for it to be merged. */
export function retryBlocked(world: World, { id, state }: MergeRequest): void {
  if (state !== 'merged') return
  for (const { merge_request_id } of world.blocks.where('blocking', id)) {
    const blocked = world.mergeRequests.get(merge_request_id)
    if (blocked !== undefined) retryAutoMerge(world, blocked)
  }
}

/** Ready without a pipeline only if the project has no CI. */
function isReady(world: World, id: number, pipeline: PipelineRecord | undefined) {
  const mr = world.mergeRequests.get(id)
  if (mr === undefined || mr.state !== 'opened' || mr.auto_merge === null) return false
  const head = headPipeline(world, mr)
  if (head?.id !== pipeline?.id) return false
  return head === undefined ? !hasCi(world, mr) : pipelineSucceeded(world, mr, projectById(world, mr.project_id))
}

function hasCi(world: World, { project_id, source_project_id }: MergeRequest) {
  return [project_id, source_project_id].some(
    (id) => world.pipelines.where('project', id).length > 0 || world.pipelineScripts.where('project', id).length > 0,
  )
}

/** Merges as the user who requested it, if still allowed. */
async function mergeReady(world: World, id: number, pipeline: PipelineRecord | undefined) {
  const waiting = world.mergeRequests.get(id)
  if (waiting === undefined || !isReady(world, id, pipeline)) return
  if (waiting.auto_merge?.by_train === true) return boardWhenReady(world, waiting)
  const mr = await checkMergeStatus(world, waiting)
  if (!(await hasRecordedHead(world, mr)) || !isReady(world, id, pipeline)) return
  if (mr.auto_merge === null || mr.merge_status !== 'can_be_merged') return
  if (waitsForPeople(world, mr) || needsRebase(world, mr)) return
  const user = userById(world, mr.auto_merge.user_id)
  if (!mayAccept(world, projectById(world, mr.project_id), user, mr)) return
  const merged = await merge(world, mr, user, mr.auto_merge)
  if (merged !== undefined) retryBlocked(world, merged)
}
