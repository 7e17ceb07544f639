// Sets the estimate and the time spent; the hook shows the change (api-v4.md §3.4).
import { developer, projectLevel, refuseArchived } from '../access/access.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { forbidden, invalid } from '../http/error-response.ts'
import type { MergeRequest, User } from '../records/records.ts'
import { now, type World } from '../storage/world.ts'
import { longestDuration } from './duration.ts'
import { findMergeRequest, type MergeRequestPath } from './find.ts'

/** Throws 403 below Developer. */
export function findForTimeTracking(world: World, caller: User, params: MergeRequestPath): MergeRequest {
  const { project, mr } = findMergeRequest(world, caller, params)
  if (projectLevel(world, caller, project) < developer) throw forbidden()
  refuseArchived(project)
  return mr
}

export function setEstimate(world: World, mr: MergeRequest, user: User, seconds: number): Promise<MergeRequest> {
  return setTime(world, mr, user, 'time_estimate', seconds)
}

/** Throws 400 for a negative total. */
export async function setTimeSpent(world: World, mr: MergeRequest, user: User, seconds: number): Promise<MergeRequest> {
  if (seconds < 0) throw invalid('base', 'Time to subtract exceeds the total time spent')
  if (seconds > longestDuration) throw invalid('total_time_spent', 'is too long')
  return setTime(world, mr, user, 'total_time_spent', seconds)
}

/** Without a change, nothing is sent. */
async function setTime(
  world: World,
  mr: MergeRequest,
  user: User,
  field: 'time_estimate' | 'total_time_spent',
  seconds: number,
): Promise<MergeRequest> {
  if (seconds === mr[field]) return mr
  const changed = world.mergeRequests.update(mr.id, { [field]: seconds, updated_at: now(world) })
  await sendMergeRequest(world, changed, user, 'update', {
    changes: {
      [field]: { previous: mr[field], current: seconds },
      updated_at: { previous: mr.updated_at, current: changed.updated_at },
    },
    timeChange: changed.total_time_spent - mr.total_time_spent,
  })
  return changed
}
