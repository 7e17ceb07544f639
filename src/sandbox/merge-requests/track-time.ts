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

/** Without a change, nothing is sent. */
export async function setEstimate(
  world: World,
  mr: MergeRequest,
  user: User,
  time_estimate: number,
): Promise<MergeRequest> {
  if (time_estimate === mr.time_estimate) return mr
  const estimated = world.mergeRequests.update(mr.id, { time_estimate, updated_at: now(world) })
  await sendMergeRequest(world, estimated, user, 'update', {
    changes: {
      time_estimate: { previous: mr.time_estimate, current: time_estimate },
      updated_at: { previous: mr.updated_at, current: estimated.updated_at },
    },
  })
  return estimated
}

/** Throws 400 for a negative total. */
export async function setTimeSpent(
  world: World,
  mr: MergeRequest,
  user: User,
  total_time_spent: number,
): Promise<MergeRequest> {
  if (total_time_spent < 0) throw invalid('base', 'Time to subtract exceeds the total time spent')
  if (total_time_spent > longestDuration) throw invalid('total_time_spent', 'is too long')
  if (total_time_spent === mr.total_time_spent) return mr
  const spent = world.mergeRequests.update(mr.id, { total_time_spent, updated_at: now(world) })
  await sendMergeRequest(world, spent, user, 'update', {
    changes: {
      total_time_spent: { previous: mr.total_time_spent, current: total_time_spent },
      updated_at: { previous: mr.updated_at, current: spent.updated_at },
    },
    timeChange: total_time_spent - mr.total_time_spent,
  })
  return spent
}
