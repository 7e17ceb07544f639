// Estimates and time spent on merge requests and issues.
import type { Api } from '../../api/index.ts'
import { badParameter } from '../http/error-response.ts'
import type { SharedHandlers } from '../http/handler.ts'
import { parseDuration, parseTimeSpent, showTimeStats } from '../merge-requests/duration.ts'
import { findNoteable } from '../notes/noteable.ts'
import { findForTimeTracking, setEstimate, setTimeSpent } from '../notes/track-time.ts'

type Names = 'timeEstimate' | 'resetTimeEstimate' | 'addSpentTime' | 'resetSpentTime' | 'timeStats'

export const timeTracking: SharedHandlers<Pick<Api['mergeRequests'], Names>, Pick<Api['issues'], Names>> = {
  async timeEstimate({ params, caller, world }) {
    const noteable = findForTimeTracking(world, caller, params)
    const estimate = parseDuration(params.duration)
    if (estimate === undefined) throw badParameter('duration is invalid')
    return showTimeStats(await setEstimate(world, noteable, caller, estimate))
  },

  async resetTimeEstimate({ params, caller, world }) {
    return showTimeStats(await setEstimate(world, findForTimeTracking(world, caller, params), caller, 0))
  },

  async addSpentTime({ params, caller, world }) {
    const noteable = findForTimeTracking(world, caller, params)
    const spent = parseTimeSpent(params.duration)
    if (spent === undefined) throw badParameter('duration is invalid')
    return showTimeStats(await setTimeSpent(world, noteable, caller, noteable.record.total_time_spent + spent))
  },

  async resetSpentTime({ params, caller, world }) {
    return showTimeStats(await setTimeSpent(world, findForTimeTracking(world, caller, params), caller, 0))
  },

  timeStats: ({ params, caller, world }) => showTimeStats(findNoteable(world, caller, params).record),
}
