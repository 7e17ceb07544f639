// Deletes what is past its retention: records of the journal, finished delivery jobs, and the bodies of failed ones.
import type { Logger } from 'pino'
import type { Journal } from '../journal/types.ts'
import type { JobQueue } from '../queue/types.ts'
import type { DeliveryJob } from './intake/delivery-job.ts'
import { withoutBody } from './intake/delivery-without-body.ts'

/** A delivery with the same id counts as the same one for so long (DESIGN §7). */
const deduplicationWindowMs = 24 * 60 * 60_000
const intervalMs = 60 * 60_000

export interface RetentionOptions {
  journal: Pick<Journal, 'prune'>
  deliveries: JobQueue<DeliveryJob>
  bodyRetentionMs: number
  now: () => number
  log: Logger
}

/** Runs now and every hour; returns the function that ends it. */
export function startRetention({ journal, deliveries, bodyRetentionMs, now, log }: RetentionOptions): () => void {
  let isStopped = false
  async function run(): Promise<void> {
    try {
      await Promise.all([
        journal.prune(new Date(now())),
        deliveries.cleanFinished({ completed: deduplicationWindowMs, failed: bodyRetentionMs }, withoutBody),
      ])
    } catch (err) {
      // A run that the stop interrupts is made up for at the next start.
      if (!isStopped) log.error({ event: 'retention_failed', err }, 'old records were not deleted; retried in an hour')
    }
  }
  const timer = setInterval(() => void run(), intervalMs)
  void run()
  return () => {
    isStopped = true
    clearInterval(timer)
  }
}
