// Estimates and time spent (api-v4.md §3.4).
import type { Api } from '../../api/index.ts'
import type { Handlers } from '../handler.ts'
import { unserved } from './unserved.ts'

type TimeTracking = Pick<Api['mergeRequests'], 'resetTimeEstimate' | 'addSpentTime' | 'resetSpentTime'>

export const timeTracking: Handlers<TimeTracking> = { resetTimeEstimate: unserved, addSpentTime: unserved, resetSpentTime: unserved }
