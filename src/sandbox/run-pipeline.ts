// Pipelines that the service itself runs, beside those made of commit statuses: of a merge request, of its merged result, a child's
// (hosting-service.md §2.4, §4.5–4.7). No call of api-v4.md starts them: whoever fills a world does, within a task.

import { noCommit } from './git/names.ts'
import { branchHead, moveRef } from './git/refs.ts'
import { mergeTree, writeCommit } from './git/write-commits.ts'
import { addPipeline, movePipeline } from './pipelines.ts'
import type { MergeRequest, Pipeline } from './records.ts'
import { userById, type World } from './world.ts'

export { movePipeline } from './pipelines.ts'

/** Runs one on the merge request's head (`refs/merge-requests/N/head`), as far as this status. */
export async function runDetached(world: World, mr: MergeRequest, status: string): Promise<Pipeline> {
  return run(world, mr, { sha: mr.sha, ref: `refs/merge-requests/${mr.iid}/head` }, status)
}

/** Runs one on a commit made for it, which merges the head into the target branch (`refs/merge-requests/N/merge`). Throws on conflicts. */
export async function runMergedResult(world: World, mr: MergeRequest, status: string): Promise<Pipeline> {
  const target = await branchHead(world, mr.project_id, mr.target_branch)
  const tree = target === undefined ? null : await mergeTree(world, mr.project_id, target, mr.sha)
  if (target === undefined || tree === null) throw new Error(`!${mr.iid} cannot be merged`)
  const { name, email } = userById(world, mr.author_id)
  const by = { name, email }
  const message = `Merge ${mr.sha} into ${target}`
  const sha = await writeCommit(world, mr.project_id, { parents: [target, mr.sha], tree, message, author: by, committer: by })
  const ref = `refs/merge-requests/${mr.iid}/merge`
  const earlier = world.pipelines.where('mergeRequest', mr.id).findLast((pipeline) => pipeline.ref === ref)
  if (!(await moveRef(world, mr.project_id, ref, earlier?.sha ?? noCommit, sha))) throw new Error(`${ref} was moved by somebody else`)
  return run(world, mr, { sha, ref, source_sha: mr.sha }, status)
}

/** Runs a child of a pipeline, on the same commit. */
export async function runChild(world: World, parent: Pipeline, status: string): Promise<Pipeline> {
  const { project_id, sha, ref, user_id } = parent
  const child = addPipeline(world, userById(world, user_id), { project_id, sha, ref, source: 'parent_pipeline', parent_id: parent.id })
  await movePipeline(world, child.id, status)
  return child
}

async function run(world: World, mr: MergeRequest, where: Pick<Pipeline, 'sha' | 'ref' | 'source_sha'>, status: string): Promise<Pipeline> {
  const kept = { ...where, project_id: mr.project_id, source: 'merge_request_event', merge_request_id: mr.id }
  const pipeline = addPipeline(world, userById(world, mr.author_id), kept)
  await movePipeline(world, pipeline.id, status)
  return pipeline
}
