// Merge trains: only of Premium, where a project has them.
import type { Api } from '../../api/index.ts'
import { notFound } from '../http/error-response.ts'
import { type Handlers, StatusResponse } from '../http/handler.ts'
import { requirePremium } from '../installation.ts'
import { findMergeRequest, type MergeRequestPath } from '../merge-requests/find.ts'
import { showTrainCar } from '../merge-requests/show.ts'
import { addToTrain } from '../merging/merge-train.ts'
import { trainOf } from '../merging/train-cars.ts'
import type { MergeRequest, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'

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
