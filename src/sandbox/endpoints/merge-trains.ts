// Merge trains: only of Premium, where a project has them.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { developer, findProjectFor } from '../access/access.ts'
import { notFound } from '../http/error-response.ts'
import { type Handlers, pageOf, StatusResponse } from '../http/handler.ts'
import { requirePremium } from '../installation.ts'
import { findMergeRequest, type MergeRequestPath } from '../merge-requests/find.ts'
import { showTrainCar } from '../merge-requests/show.ts'
import { addToTrain } from '../merging/merge-train.ts'
import { isActiveCar, trainOf } from '../merging/train-cars.ts'
import type { MergeRequest, TrainCar, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'

export const mergeTrains: Handlers<Api['mergeTrains']> = {
  list({ params, caller, world }) {
    requirePremium(world)
    const { id } = findProjectFor(world, caller, params.id, developer)
    return pageOf(carsIn(world.mergeRequests.where('project', id), params), params, ([mr, car]) =>
      showTrainCar(world, mr, car),
    )
  },

  ofBranch({ params, caller, world }) {
    requirePremium(world)
    const { id } = findProjectFor(world, caller, params.id, developer)
    const found = world.mergeRequests.where('project', id).filter((mr) => mr.target_branch === params.target_branch)
    return pageOf(carsIn(found, params), params, ([mr, car]) => showTrainCar(world, mr, car))
  },

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

/** Those that a train merged too. */
function carsIn(
  mergeRequests: readonly MergeRequest[],
  { scope, sort }: Pick<CheckedParams<Api['mergeTrains']['list']>, 'scope' | 'sort'>,
): [MergeRequest, TrainCar][] {
  const direction = sort === 'asc' ? 1 : -1
  return mergeRequests
    .flatMap((mr): [MergeRequest, TrainCar][] => (mr.train_car ? [[mr, mr.train_car]] : []))
    .filter(([, car]) => scope === undefined || (scope === 'active') === isActiveCar(car))
    .sort(([, a], [, b]) => (a.id - b.id) * direction)
}

function findWhereTrainsExist(world: World, caller: User, params: MergeRequestPath) {
  requirePremium(world)
  return findMergeRequest(world, caller, params)
}

function showCars(world: World, train: readonly MergeRequest[]) {
  return train.flatMap((mr) => (mr.train_car ? [showTrainCar(world, mr, mr.train_car)] : []))
}
