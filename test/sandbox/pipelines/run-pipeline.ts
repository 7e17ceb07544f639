// Pipelines that the service runs itself and no API call starts.

import { branchHead } from '../../../src/sandbox/git/refs.ts'
import { writeMergeRef } from '../../../src/sandbox/git/write-commits.ts'
import { addPipeline, movePipeline } from '../../../src/sandbox/pipelines/pipelines.ts'
import type { MergeRequest, PipelineRecord } from '../../../src/sandbox/records/work-records.ts'
import { userById, type World } from '../../../src/sandbox/storage/world.ts'

/** Runs on the head, `refs/merge-requests/N/head`, up to this status. */
export async function runDetached(world: World, mr: MergeRequest, status: string): Promise<PipelineRecord> {
  return run(world, mr, { sha: mr.sha, ref: `refs/merge-requests/${mr.iid}/head` }, status)
}

/** As its author runs it who is no member of the project: on the head too, in the fork. */
export async function runInFork(world: World, mr: MergeRequest, status: string): Promise<PipelineRecord> {
  return run(world, mr, { sha: mr.sha, ref: `refs/merge-requests/${mr.iid}/head` }, status, mr.source_project_id)
}

/** Runs on a merge of head and target, `refs/merge-requests/N/merge`. Throws on conflicts. */
export async function runMergedResult(world: World, mr: MergeRequest, status: string): Promise<PipelineRecord> {
  const target = await branchHead(world, mr.project_id, mr.target_branch)
  const user = userById(world, mr.author_id)
  const merged = target === undefined ? null : await writeMergeRef(world, mr, user, { name: 'merge', onto: target })
  if (merged === null) throw new Error(`!${mr.iid} cannot be merged`)
  return run(world, mr, merged, status)
}

export async function runChild(world: World, parent: PipelineRecord, status: string): Promise<PipelineRecord> {
  const { project_id, sha, ref, user_id } = parent
  const child = addPipeline(world, userById(world, user_id), {
    project_id,
    sha,
    ref,
    source: 'parent_pipeline',
    parent_id: parent.id,
  })
  await movePipeline(world, child.id, status)
  return child
}

async function run(
  world: World,
  mr: MergeRequest,
  where: Pick<PipelineRecord, 'sha' | 'ref' | 'source_sha'>,
  status: string,
  project_id = mr.project_id,
): Promise<PipelineRecord> {
  const kept = { ...where, project_id, source: 'merge_request_event', merge_request_id: mr.id }
  const pipeline = addPipeline(world, userById(world, mr.author_id), kept)
  await movePipeline(world, pipeline.id, status)
  return pipeline
}
