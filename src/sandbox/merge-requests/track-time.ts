// Sets the estimate of a merge request and the time spent on it; the hook tells what changed (api-v4.md §3.4).
import { developer, projectLevel } from '../access.ts'
import { refuseArchived } from '../archived.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import type { MergeRequest, User } from '../records.ts'
import { forbidden, invalid } from '../refusal.ts'
import { now, type World } from '../world.ts'
import { longestDuration } from './duration.ts'
import { findMergeRequest } from './find.ts'

/** The merge request behind the path; 403 for those who may not track time on it, which needs Developer. */
export function findForTimeTracking(world: World, caller: User, params: { id: number | string; merge_request_iid: number }): MergeRequest {
  const { project, mr } = findMergeRequest(world, caller, params)
  if (projectLevel(world, caller, project) < developer) throw forbidden()
  refuseArchived(project)
  return mr
}

/** The same estimate again is told to nobody. */
export async function setEstimate(world: World, mr: MergeRequest, user: User, time_estimate: number): Promise<MergeRequest> {
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

/** Refuses to take back more than was spent. */
export async function setTimeSpent(world: World, mr: MergeRequest, user: User, total_time_spent: number): Promise<MergeRequest> {
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
