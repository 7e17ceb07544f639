// What is sent to receive, and what is then in line.
import type { DeliveryJob } from '../../../src/bot/intake/delivery-job.ts'
import type { TestQueues } from '../stores.ts'

export const BODY = '{"object_kind":"push"}'
export const MB = 1024 * 1024

/** What waits in the deliveries lane, oldest first. */
export async function waiting({ deliveries }: TestQueues): Promise<DeliveryJob[]> {
  const jobs = await deliveries.list(['waiting', 'prioritized', 'delayed', 'active', 'failed', 'completed'], 0, 100)
  return jobs.reverse().map(({ data }) => data)
}
