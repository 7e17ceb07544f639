// What accept does on a project with merge trains (docs/hosting-service.md).
import { refuse, unauthorized } from '../http/error-response.ts'
import type { MergeRequest, Project, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import { type AcceptOptions, cannotBeMerged, mayAccept } from './accept.ts'
import { addToTrain, mayPassTrain } from './merge-train.ts'
import { usesTrains } from './train-cars.ts'

/** Undefined where the merge goes past the train. Throws 401, 405 and 409. */
export async function acceptByTrain(
  world: World,
  project: Project,
  mr: MergeRequest,
  user: User,
  options: AcceptOptions,
): Promise<MergeRequest | undefined> {
  if (!usesTrains(world, project)) return undefined
  if (options.wait) return addToTrain(world, project, mr, user, { ...options, failure: refuse(405, cannotBeMerged) })
  if (!mayAccept(world, project, user, mr)) throw unauthorized()
  if (!mayPassTrain(world, project, user)) throw refuse(405, cannotBeMerged)
  return undefined
}
