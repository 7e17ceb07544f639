// A receiver over real HTTP on a real queue, and what tests send to it.

import type { DeliveryJob } from '../../../src/bot/intake/delivery-job.ts'
import type { BotQueues } from '../../../src/bot/queues.ts'
import { closeServersAtTheEnd, serveHooks, signedBy, testQueues, useStores } from '../stores.ts'

export const BODY = '{"object_kind":"push"}'
export const MB = 1024 * 1024
export const MASTER_KEY = 'new-master-key-of-thirty-two-chars!'

type ServeOptions = Omit<Parameters<typeof serveHooks>[0], 'queues'> & {
  deliveries?: Partial<BotQueues['deliveries']>
}

/** Call it once in a file; the function that it returns serves a receiver with queues of its own. */
export function useReceivers() {
  const stores = useStores()
  closeServersAtTheEnd()
  async function serve({ deliveries, ...options }: ServeOptions = {}) {
    const queues = testQueues(stores)
    const served = { deliveries: { ...queues.deliveries, ...deliveries } }
    const receiver = await serveHooks({ queues: served, ...options })
    /** `jobs`: of all deliveries, oldest first. */
    return { ...receiver, queues, jobs: () => storedJobs(queues) }
  }
  return { stores, serve }
}

async function storedJobs({ deliveries }: BotQueues): Promise<DeliveryJob[]> {
  const jobs = await deliveries.list(['waiting', 'prioritized', 'delayed', 'active', 'failed', 'completed'], 0, 100)
  return jobs.reverse().map(({ data }) => data)
}

/** The headers of a delivery that is signed now, or so many seconds from now. */
export function signed(key: string, body = BODY, { id = 'm', seconds = 0 } = {}) {
  return signedBy(key, { id, timestamp: Math.floor(Date.now() / 1000) + seconds, body })
}
