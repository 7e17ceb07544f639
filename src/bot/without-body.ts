// What stays in the job of a delivery that was read, whose body is the journal's then, or that failed and can be replayed for longer than its body may be kept.
import { readDelivery } from './read-delivery.ts'
import type { DeliveryJob } from './receive.ts'

/** Raw bodies may carry CI variables: kept for a day only, unless the operator says otherwise (DESIGN §6). */
export const usualBodyKeptMs = 24 * 60 * 60_000

/** The job with what intake takes from the body instead of the body: it does the same. Undefined where there is no body. */
export function withoutBody(job: DeliveryJob): Extract<DeliveryJob, { is: 'delivery' }> | undefined {
  if (job.is !== 'delivery' || job.unreadable !== undefined || job.read !== undefined) return undefined
  const read = readDelivery(job.body, job.receivedAt)
  if (!read.ok) return { ...job, body: '', unreadable: read.reason }
  return { ...job, body: '', read: { said: read.said, bytes: Buffer.byteLength(job.body) } }
}
