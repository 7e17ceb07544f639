// Accepts a merge request, also by a merge train, cancels auto-merge, rebases.
import type { Api } from '../../api/index.ts'
import { canReadCode, visibleProject } from '../access/access.ts'
import { orNotFound, unauthorized } from '../http/error-response.ts'
import { type Asked, type Handlers, on, StatusResponse } from '../http/handler.ts'
import { premium } from '../installation.ts'
import { type MergeRequestPath, mergeRequestAt } from '../merge-requests/find.ts'
import { startRebase } from '../merge-requests/rebase.ts'
import { showMergeRequest, showTrainCar } from '../merge-requests/show.ts'
import { accept, cancelAutoMerge } from '../merging/accept.ts'
import { acceptByTrain, addToTrain, retryTrain } from '../merging/merge-train.ts'
import { retryBlocked } from '../merging/merge-waiting.ts'
import { trainOf } from '../merging/run-train.ts'
import type { MergeRequest } from '../records/records.ts'
import type { World } from '../storage/world.ts'

export const merging: Handlers<Pick<Api['mergeRequests'], 'accept' | 'cancelMergeWhenPipelineSucceeds' | 'rebase'>> = {
  accept: on(mergeRequestToAccept, async ({ project, mr, params, caller, world }) => {
    const options = { ...params, wait: params.merge_when_pipeline_succeeds === true || params.auto_merge === true }
    const added = await acceptByTrain(world, project, mr, caller, options)
    const accepted = added ?? (await accept(world, project, mr, caller, options))
    retryBlocked(world, accepted)
    return showMergeRequest(world, accepted, caller)
  }),

  cancelMergeWhenPipelineSucceeds: on(mergeRequestToAccept, ({ project, mr, caller, world }) => {
    const cancelled = cancelAutoMerge(world, project, mr, caller)
    // The next one on its train may go on.
    retryTrain(world, mr)
    return showMergeRequest(world, cancelled, caller)
  }),

  rebase: on(mergeRequestAt, async ({ mr, caller, world }) => {
    await startRebase(world, mr, caller)
    return { rebase_in_progress: true }
  }),
}

/** 401 for all who may not accept, even when they see no merge requests of the project. */
function mergeRequestToAccept(call: Asked<MergeRequestPath>) {
  if (!canReadCode(call.world, call.caller, visibleProject(call).project)) throw unauthorized()
  return mergeRequestAt(call)
}

export const mergeTrains: Handlers<Api['mergeTrains']> = {
  get: on(premium(mergeRequestAt), ({ mr, world }) =>
    orNotFound(showCars(world, [mr])[0], 'Merge Train Merge Request'),
  ),

  add: on(premium(mergeRequestAt), async ({ project, mr, params, caller, world }) => {
    const wait = params.auto_merge === true || params.when_pipeline_succeeds === true
    const added = await addToTrain(world, project, mr, caller, { ...params, wait })
    const train = showCars(world, trainOf(world, added))
    return new StatusResponse(added.train_car ? 201 : 202, train)
  }),
}

function showCars(world: World, train: readonly MergeRequest[]) {
  return train.flatMap((mr) => (mr.train_car ? [showTrainCar(world, mr, mr.train_car)] : []))
}
