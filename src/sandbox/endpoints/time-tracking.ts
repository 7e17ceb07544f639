// Estimates and time spent on merge requests and issues.
import type { Api } from '../../api/index.ts'
import { refuseArchived } from '../access/access.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { changesBetween } from '../hooks/parts.ts'
import { badParameter, forbidden, invalid } from '../http/error-response.ts'
import { type Asked, on, type SharedHandlers } from '../http/handler.ts'
import { updateIssue } from '../issues/update.ts'
import {
  formatDuration,
  longestDuration,
  parseDuration,
  parseTimeSpent,
  showTimeStats,
} from '../merge-requests/duration.ts'
import { mayTriageNoteable, type Noteable, type NoteableParams, noteableAt } from '../notes/noteable.ts'
import { noteDown } from '../notes/write.ts'
import { pick } from '../records/fields.ts'
import type { User } from '../records/records.ts'
import { now, type World } from '../storage/world.ts'

type Names = 'timeEstimate' | 'resetTimeEstimate' | 'addSpentTime' | 'resetSpentTime' | 'timeStats'

export const timeTracking: SharedHandlers<Pick<Api['mergeRequests'], Names>, Pick<Api['issues'], Names>> = {
  timeEstimate: on(triagedNoteable, ({ noteable, params, caller, world }) => {
    const estimate = parseDuration(params.duration)
    if (estimate === undefined) throw badParameter('duration is invalid')
    return setTime(world, noteable, caller, 'time_estimate', estimate)
  }),

  resetTimeEstimate: on(triagedNoteable, ({ noteable, caller, world }) =>
    setTime(world, noteable, caller, 'time_estimate', 0),
  ),

  addSpentTime: on(triagedNoteable, async ({ noteable, params, caller, world }) => {
    const spent = parseTimeSpent(params.duration)
    if (spent === undefined) throw badParameter('duration is invalid')
    const total = noteable.record.total_time_spent + spent
    if (total < 0) throw invalid('base', 'Time to subtract exceeds the total time spent')
    if (total > longestDuration) throw invalid('total_time_spent', 'is too long')
    const stats = await setTime(world, noteable, caller, 'total_time_spent', total)
    const said = `${spent > 0 ? 'added' : 'subtracted'} ${formatDuration(Math.abs(spent))} of time spent`
    if (noteable.type === 'MergeRequest' && spent !== 0) noteDown(world, noteable.record, caller, said)
    return stats
  }),

  resetSpentTime: on(triagedNoteable, ({ noteable, caller, world }) =>
    setTime(world, noteable, caller, 'total_time_spent', 0),
  ),

  timeStats: on(noteableAt, ({ noteable }) => showTimeStats(noteable.record)),
}

/** Throws 403 below Developer for merge requests, below Planner for issues. */
function triagedNoteable(call: Asked<NoteableParams>) {
  const { noteable } = noteableAt(call)
  if (!mayTriageNoteable(call.world, call.caller, noteable)) throw forbidden()
  refuseArchived(noteable.project)
  return { noteable }
}

/** Shows both times. Without a change, nothing is sent. */
async function setTime(
  world: World,
  { type, record }: Noteable,
  user: User,
  field: 'time_estimate' | 'total_time_spent',
  seconds: number,
) {
  if (seconds === record[field]) return showTimeStats(record)
  if (type === 'Issue') return showTimeStats(updateIssue(world, record, user, { [field]: seconds }))
  const changed = world.mergeRequests.update(record.id, { [field]: seconds, updated_at: now(world) })
  await sendMergeRequest(world, changed, user, 'update', {
    changes: changesBetween(pick(record, field, 'updated_at'), pick(changed, field, 'updated_at')),
    timeChange: changed.total_time_spent - record.total_time_spent,
  })
  return showTimeStats(changed)
}
