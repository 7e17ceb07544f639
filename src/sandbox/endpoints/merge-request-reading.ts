// What a merge request is made of: commits, changes, pipelines, the issues it closes, its time (api-v4.md §4.2).
import type { Api } from '../../api/index.ts'
import { developer, projectLevel } from '../access.ts'
import { readChanges } from '../git/changes.ts'
import { commitsBetween } from '../git/read-commits.ts'
import { type Handlers, pageOf } from '../handler.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { parseDuration } from '../merge-requests/duration.ts'
import { findMergeRequest } from '../merge-requests/find.ts'
import { showMergeRequest, showPipeline, showTimeStats } from '../merge-requests/show.ts'
import { checkMergeStatus, measure } from '../merge-requests/status.ts'
import type { MergeRequest } from '../records.ts'
import { badParameter, forbidden } from '../refusal.ts'
import { showCommit } from '../show.ts'
import { now, type World } from '../world.ts'
import { unserved } from './unserved.ts'

type Reading = Pick<Api['mergeRequests'], 'commits' | 'changes' | 'pipelines' | 'closesIssues' | 'timeEstimate' | 'timeStats'>

export const reading: Handlers<Reading> = {
  async commits({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    return pageOf(await commitsBetween(world, mr.project_id, await baseOf(world, mr), mr.sha), params, showCommit)
  },

  async changes({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    const { changes, overflow } = await readChanges(world, mr.project_id, await baseOf(world, mr), mr.sha)
    return { ...showMergeRequest(world, await checkMergeStatus(world, mr), caller), changes, overflow }
  },

  async pipelines({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    const commits = await commitsBetween(world, mr.project_id, await baseOf(world, mr), mr.sha)
    const shas = new Set([mr.sha, ...commits.map((commit) => commit.id)])
    const found = world.pipelines.where('project', mr.source_project_id).filter((pipeline) => shas.has(pipeline.sha))
    return pageOf(found.reverse(), params, showPipeline)
  },

  closesIssues: unserved,

  async timeEstimate({ params, caller, world }) {
    const { project, mr } = findMergeRequest(world, caller, params)
    if (projectLevel(world, caller, project) < developer) throw forbidden()
    const time_estimate = parseDuration(params.duration)
    if (time_estimate === undefined) throw badParameter('duration is invalid')
    if (time_estimate === mr.time_estimate) return showTimeStats(mr)
    const estimated = world.mergeRequests.update(mr.id, { time_estimate, updated_at: now(world) })
    await sendMergeRequest(world, estimated, caller, 'update', {
      changes: {
        time_estimate: { previous: mr.time_estimate, current: time_estimate },
        updated_at: { previous: mr.updated_at, current: estimated.updated_at },
      },
    })
    return showTimeStats(estimated)
  },

  timeStats: ({ params, caller, world }) => showTimeStats(findMergeRequest(world, caller, params).mr),
}

/** Where source and target parted: as it was at the merge, or as it is now. */
async function baseOf(world: World, mr: MergeRequest): Promise<string | null> {
  return mr.state === 'merged' ? mr.base_sha : ((await measure(world, mr)).base_sha ?? mr.base_sha)
}
