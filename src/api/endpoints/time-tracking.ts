// Time tracking of merge requests (api-v4.md §3.4, §4.2).
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { timeStats } from '../schemas/merge-request.ts'
import { id, idOrPath } from '../schemas/scalars.ts'

const pathParams = { id: idOrPath, merge_request_iid: id }
const base = '/projects/:id/merge_requests/:merge_request_iid'
/** `3h30m`; in the query or in the body (api-v4.md §4.2). */
const duration = z.string().min(1).max(100)

export const timeTracking = {
  timeEstimate: endpoint({
    method: 'POST',
    path: `${base}/time_estimate`,
    doc: 'Set the estimate, `3h30m` (api-v4.md §4.2).',
    pathParams,
    body: { duration },
    responses: { 200: timeStats },
    raises: () => ['merge_request.update'],
  }),
  resetTimeEstimate: endpoint({
    method: 'POST',
    path: `${base}/reset_time_estimate`,
    doc: 'Set the estimate to 0 (api-v4.md §3.4).',
    pathParams,
    responses: { 200: timeStats },
  }),
  addSpentTime: endpoint({
    method: 'POST',
    path: `${base}/add_spent_time`,
    doc: 'Add to the time spent (api-v4.md §3.4).',
    pathParams,
    body: { duration },
    responses: { 201: timeStats },
    raises: () => ['merge_request.update'],
  }),
  resetSpentTime: endpoint({
    method: 'POST',
    path: `${base}/reset_spent_time`,
    doc: 'Set the time spent to 0 (api-v4.md §3.4).',
    pathParams,
    responses: { 200: timeStats },
  }),
  timeStats: endpoint({
    method: 'GET',
    path: `${base}/time_stats`,
    doc: 'Estimate and time spent (api-v4.md §2.5).',
    pathParams,
    responses: { 200: timeStats },
  }),
}
