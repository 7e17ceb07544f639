// Estimates and time spent on merge requests (api-v4.md §2.5, §3.4, §4.2).
import type { Api } from '../../api/index.ts'
import { badParameter } from '../http/error-response.ts'
import type { Handlers } from '../http/handler.ts'
import { parseDuration, parseTimeSpent } from '../merge-requests/duration.ts'
import { findMergeRequest } from '../merge-requests/find.ts'
import { showTimeStats } from '../merge-requests/show.ts'
import { findForTimeTracking, setEstimate, setTimeSpent } from '../merge-requests/track-time.ts'

export const timeTracking = {
  async timeEstimate({ params, caller, world }) {
    const mr = findForTimeTracking(world, caller, params)
    const estimate = parseDuration(params.duration)
    if (estimate === undefined) throw badParameter('duration is invalid')
    return showTimeStats(await setEstimate(world, mr, caller, estimate))
  },

  async resetTimeEstimate({ params, caller, world }) {
    return showTimeStats(await setEstimate(world, findForTimeTracking(world, caller, params), caller, 0))
  },

  async addSpentTime({ params, caller, world }) {
    const mr = findForTimeTracking(world, caller, params)
    const spent = parseTimeSpent(params.duration)
    if (spent === undefined) throw badParameter('duration is invalid')
    return showTimeStats(await setTimeSpent(world, mr, caller, mr.total_time_spent + spent))
  },

  async resetSpentTime({ params, caller, world }) {
    return showTimeStats(await setTimeSpent(world, findForTimeTracking(world, caller, params), caller, 0))
  },

  timeStats: ({ params, caller, world }) => showTimeStats(findMergeRequest(world, caller, params).mr),
} satisfies Partial<Handlers<Api['mergeRequests']>>
