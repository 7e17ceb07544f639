// Time tracking of merge requests and issues.
import * as z from 'zod'
import { endpoint } from '../endpoint.ts'
import { timeStats } from '../schemas/issue.ts'
import type { NoteableBase } from './noteable.ts'

/** `3h30m`; in the query or in the body. */
const duration = z.string().min(1).max(100)

export function timeTrackingOn<P extends Record<string, z.ZodType>>({
  base,
  pathParams,
  called,
  event,
}: NoteableBase<P>) {
  const raises = () => [`${event}.update`]
  return {
    timeEstimate: endpoint('POST', `${base}/time_estimate`, {
      doc: `Set the estimate of ${called}, \`3h30m\`.`,
      pathParams,
      body: { duration },
      responses: { 200: timeStats },
      raises,
    }),
    resetTimeEstimate: endpoint('POST', `${base}/reset_time_estimate`, {
      doc: `Set the estimate of ${called} to 0.`,
      pathParams,
      responses: { 200: timeStats },
    }),
    addSpentTime: endpoint('POST', `${base}/add_spent_time`, {
      doc: `Add to the time spent on ${called}.`,
      pathParams,
      body: { duration },
      responses: { 201: timeStats },
      raises,
    }),
    resetSpentTime: endpoint('POST', `${base}/reset_spent_time`, {
      doc: `Set the time spent on ${called} to 0.`,
      pathParams,
      responses: { 200: timeStats },
    }),
    timeStats: endpoint('GET', `${base}/time_stats`, {
      doc: `Estimate and time spent of ${called}.`,
      pathParams,
      responses: { 200: timeStats },
    }),
  }
}
