// What each process with the journal does at its start and every hour.
// The settings: cli/settings/queue.ts. What the journal stores how long: journal/retention.ts.
import type { Logger } from 'pino'
import type { Journal } from '../journal/types.ts'
import type { JobQueue } from '../queue/types.ts'
import type { DeliveryJob } from './intake/delivery-job.ts'
import { withoutBody } from './intake/delivery-without-body.ts'
import { enqueueUnfinished, type UnfinishedOptions } from './sweep/enqueue-unfinished.ts'

/** For so long a delivery with the same id counts as a duplicate. */
const deduplicationWindowMs = 24 * 60 * 60_000
const intervalMs = 60 * 60_000

export interface HousekeepingOptions extends UnfinishedOptions {
  journal: Journal
  deliveries: JobQueue<DeliveryJob>
  bodyRetentionMs: number
  /** Sets the schedule of the sweep, which a flushed queue has lost. */
  scheduleSweeps: () => Promise<void>
  log: Logger
}

/**
 * Enqueues what a flushed queue has lost, and deletes what is past its retention: journal records, finished delivery
 * jobs, the bodies of failed ones. Returns the function that ends it.
 */
export function startHousekeeping(options: HousekeepingOptions): () => void {
  const { journal, deliveries, bodyRetentionMs, now, log } = options
  let isStopped = false
  async function run(): Promise<void> {
    try {
      await Promise.all([options.scheduleSweeps(), enqueueUnfinished(options)])
    } catch (err) {
      if (!isStopped)
        log.error({ event: 'not_enqueued', err }, 'unfinished work was not looked for; retried in an hour')
    }
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
