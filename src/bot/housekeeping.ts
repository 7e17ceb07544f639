// What each process with the journal does at its start and every hour.
// The settings: cli/settings/queue.ts. What the journal stores how long: journal/retention.ts.
import type { Context } from './context.ts'
import { withoutBody } from './intake/delivery-job.ts'
import { enqueueUnfinished } from './sweep/enqueue-unfinished.ts'

/** For so long a delivery with the same id counts as a duplicate. */
const deduplicationWindowMs = 24 * 60 * 60_000
const intervalMs = 60 * 60_000

/**
 * Enqueues what a flushed queue has lost, and deletes what is past its retention: journal records, finished delivery
 * jobs, the bodies of failed ones. `scheduleSweeps` sets the schedule of the sweep, which a flushed queue has lost. Returns
 * the function that ends it.
 */
export function startHousekeeping(context: Context, scheduleSweeps: () => Promise<void>): () => void {
  const { journal, queues, operator, now, log } = context
  let isStopped = false
  async function run(): Promise<void> {
    try {
      await Promise.all([scheduleSweeps(), enqueueUnfinished(context)])
    } catch (err) {
      if (!isStopped)
        log.error({ event: 'not_enqueued', err }, 'unfinished work was not looked for; retried in an hour')
    }
    try {
      await Promise.all([
        journal.prune(new Date(now())),
        queues.deliveries.cleanFinished(
          { completed: deduplicationWindowMs, failed: operator.bodyRetentionMs },
          withoutBody,
        ),
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
