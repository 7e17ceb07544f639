// Accepts a merge request, also by a merge train, cancels auto-merge, rebases.
import type { Api } from '../../api/index.ts'
import { canReadCode, findProject } from '../access/access.ts'
import { notFound, unauthorized } from '../http/error-response.ts'
import { type Handlers, StatusResponse } from '../http/handler.ts'
import { requirePremium } from '../installation.ts'
import { findMergeRequest, type MergeRequestPath } from '../merge-requests/find.ts'
import { startRebase } from '../merge-requests/rebase.ts'
import { showMergeRequest, showTrainCar } from '../merge-requests/show.ts'
import { accept, cancelAutoMerge } from '../merging/accept.ts'
import { acceptByTrain, addToTrain, retryTrain } from '../merging/merge-train.ts'
import { retryBlocked } from '../merging/merge-waiting.ts'
import { trainOf } from '../merging/run-train.ts'
import type { MergeRequest, User } from '../records/records.ts'
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
    // The next one on its train may go on.
    retryTrain(world, mr)
    return showMergeRequest(world, cancelled, caller)
  },

  async rebase({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    await startRebase(world, mr, caller)
    return { rebase_in_progress: true }
  },
} satisfies Partial<Handlers<Api['mergeRequests']>>

/** 401 for all who may not accept, even when they see no merge requests of the project. */
function findToAccept(world: World, caller: User, params: MergeRequestPath) {
  if (!canReadCode(world, caller, findProject(world, caller, params.id))) throw unauthorized()
  return findMergeRequest(world, caller, params)
}

export const mergeTrains: Handlers<Api['mergeTrains']> = {
  get({ params, caller, world }) {
    const { mr } = findWhereTrainsExist(world, caller, params)
    const [car] = showCars(world, [mr])
    if (car === undefined) throw notFound('Merge Train Merge Request')
    return car
  },

  async add({ params, caller, world }) {
    const { project, mr } = findWhereTrainsExist(world, caller, params)
    const wait = params.auto_merge === true || params.when_pipeline_succeeds === true
    const added = await addToTrain(world, project, mr, caller, { ...params, wait })
    const train = showCars(world, trainOf(world, added))
    return new StatusResponse(added.train_car ? 201 : 202, train)
  },
}

function findWhereTrainsExist(world: World, caller: User, params: MergeRequestPath) {
  requirePremium(world)
  return findMergeRequest(world, caller, params)
}

function showCars(world: World, train: readonly MergeRequest[]) {
  return train.flatMap((mr) => (mr.train_car ? [showTrainCar(world, mr, mr.train_car)] : []))
}
