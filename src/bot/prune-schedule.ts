// Deletes, every hour, what is past its retention: journal records, finished delivery jobs, the bodies of failed ones.
// The settings: cli/settings/queue.ts. What the journal stores how long: journal/records/retention.ts.
import type { Logger } from 'pino'
import type { Journal } from '../journal/types.ts'
import type { JobQueue } from '../queue/types.ts'
import type { DeliveryJob } from './intake/delivery-job.ts'
import { withoutBody } from './intake/delivery-without-body.ts'

/** For so long a delivery with the same id counts as a duplicate (DESIGN §7). */
const deduplicationWindowMs = 24 * 60 * 60_000
const intervalMs = 60 * 60_000

export interface PruneOptions {
  journal: Pick<Journal, 'prune'>
  deliveries: JobQueue<DeliveryJob>
  bodyRetentionMs: number
  now: () => number
  log: Logger
}

/** Runs now and every hour; returns the function that ends it. */
export function startPruning({ journal, deliveries, bodyRetentionMs, now, log }: PruneOptions): () => void {
  let isStopped = false
  async function run(): Promise<void> {
    try {
      await Promise.all([
        journal.prune(new Date(now())),
        deliveries.cleanFinished({ completed: deduplicationWindowMs, failed: bodyRetentionMs }, withoutBody),
      ])
    } catch (err) {
      // A run that `stop` interrupts is repeated at the next start.
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
