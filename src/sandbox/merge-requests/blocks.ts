// The merge requests that must be merged before another (GitLab Premium).
import { isPremium } from '../installation.ts'
import type { MergeRequest } from '../records/records.ts'
import type { World } from '../storage/world.ts'

/** One that is closed blocks as well; one that was deleted does not. */
export function isBlocked(world: World, { id }: Pick<MergeRequest, 'id'>): boolean {
  if (!isPremium(world)) return false
  const blocking = world.blocks.where('mergeRequest', id).map(({ blocking_id }) => world.mergeRequests.get(blocking_id))
  return blocking.some((each) => each !== undefined && each.state !== 'merged')
}
