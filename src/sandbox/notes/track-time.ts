// Sets the estimate and the time spent on a merge request or an issue; the hook shows the change.
import { refuseArchived } from '../access/access.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { forbidden, invalid } from '../http/error-response.ts'
import { updateIssue } from '../issues/update.ts'
import { longestDuration } from '../merge-requests/duration.ts'
import type { MergeRequest, User } from '../records/records.ts'
import { now, type World } from '../storage/world.ts'
import { findNoteable, mayTriageNoteable, type Noteable, type NoteableParams } from './noteable.ts'

/** Throws 403 below Developer for merge requests, below Planner for issues. */
export function findForTimeTracking(world: World, caller: User, path: NoteableParams): Noteable {
  const noteable = findNoteable(world, caller, path)
  if (!mayTriageNoteable(world, caller, noteable)) throw forbidden()
  refuseArchived(noteable.project)
  return noteable
}

type Times = Pick<MergeRequest, 'time_estimate' | 'total_time_spent'>

export function setEstimate(world: World, noteable: Noteable, user: User, seconds: number): Promise<Times> {
  return setTime(world, noteable, user, 'time_estimate', seconds)
}

/** Throws 400 for a negative total. */
export async function setTimeSpent(world: World, noteable: Noteable, user: User, seconds: number): Promise<Times> {
  if (seconds < 0) throw invalid('base', 'Time to subtract exceeds the total time spent')
  if (seconds > longestDuration) throw invalid('total_time_spent', 'is too long')
  return setTime(world, noteable, user, 'total_time_spent', seconds)
}

/** Without a change, nothing is sent. */
async function setTime(
  world: World,
  { type, record }: Noteable,
  user: User,
  field: keyof Times,
  seconds: number,
): Promise<Times> {
  if (seconds === record[field]) return record
  if (type === 'Issue') return updateIssue(world, record, user, { [field]: seconds })
  const changed = world.mergeRequests.update(record.id, { [field]: seconds, updated_at: now(world) })
  await sendMergeRequest(world, changed, user, 'update', {
    changes: {
      [field]: { previous: record[field], current: seconds },
      updated_at: { previous: record.updated_at, current: changed.updated_at },
    },
    timeChange: changed.total_time_spent - record.total_time_spent,
  })
  return changed
}
