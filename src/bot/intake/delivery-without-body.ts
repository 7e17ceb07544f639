// A delivery job without its body: what stays once the journal has the body, or its retention is over.
import type { DeliveryJob } from './delivery-job.ts'
import { readDelivery } from './read-delivery.ts'

/** The job with the summary of its body instead; undefined if it has no body. */
export function withoutBody(job: DeliveryJob): Extract<DeliveryJob, { is: 'delivery' }> | undefined {
  if (job.is !== 'delivery' || job.unreadable !== undefined || job.read !== undefined) return undefined
  const read = readDelivery(job.body, job.receivedAt)
  if (!read.ok) return { ...job, body: '', unreadable: read.reason }
  return { ...job, body: '', read: { summary: read.summary, bytes: Buffer.byteLength(job.body) } }
}
