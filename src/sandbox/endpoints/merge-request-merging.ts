// Accepts a merge request, cancels auto-merge, rebases (api-v4.md §3.1, §4.2).
import type { Api } from '../../api/index.ts'
import { canReadCode, findProject } from '../access/access.ts'
import { unauthorized } from '../http/error-response.ts'
import type { Handlers } from '../http/handler.ts'
import { findMergeRequest, type MergeRequestPath } from '../merge-requests/find.ts'
import { startRebase } from '../merge-requests/rebase.ts'
import { showMergeRequest } from '../merge-requests/show.ts'
import { accept, cancelAutoMerge } from '../merging/accept.ts'
import { acceptByTrain } from '../merging/accept-by-train.ts'
import { retryTrain } from '../merging/merge-train.ts'
import { retryBlocked } from '../merging/merge-waiting.ts'
import type { User } from '../records/records.ts'
import type { World } from '../storage/world.ts'

export const merging = {
  async accept({ params, caller, world }) {
    const { project, mr } = findToAccept(world, caller, params)
    const options = { ...params, wait: params.merge_when_pipeline_succeeds === true || params.auto_merge === true }
    const added = await acceptByTrain(world, project, mr, caller, options)
    const accepted = added ?? (await accept(world, project, mr, caller, options))
    retryBlocked(world, accepted)
    return showMergeRequest(world, accepted, caller)
  },

  cancelMergeWhenPipelineSucceeds({ params, caller, world }) {
    const { project, mr } = findToAccept(world, caller, params)
    const cancelled = cancelAutoMerge(world, project, mr, caller)
    // The next one on its train.
    retryTrain(world, mr)
    return showMergeRequest(world, cancelled, caller)
  },

  async rebase({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    await startRebase(world, mr, caller)
    return { rebase_in_progress: true }
  },
} satisfies Partial<Handlers<Api['mergeRequests']>>

/** 401 for all who may not accept, even when they see no merge requests of the project (api-v4.md §7). */
function findToAccept(world: World, caller: User, params: MergeRequestPath) {
  if (!canReadCode(world, caller, findProject(world, caller, params.id))) throw unauthorized()
  return findMergeRequest(world, caller, params)
}
