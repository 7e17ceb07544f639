// What each process with the journal does at its start and every hour, and what is due by the time.
// The settings: cli/settings/queue.ts. What the journal stores how long: journal/retention.ts.

import { wholeService } from '../journal/tables/marks.ts'
import type { BotOptions } from './bot-options.ts'
import type { Context } from './context.ts'
import { withoutBody } from './intake/delivery-job.ts'
import { notify } from './notifications/notify.ts'
import { daysLeft, expiresAt, type TokenExpiry } from './service/bot-token.ts'
import { enqueueDue, enqueueUnfinished } from './sweep/enqueue-unfinished.ts'

/** For so long a delivery with the same id counts as a duplicate. */
const deduplicationWindowMs = 24 * 60 * 60_000
const intervalMs = 60 * 60_000
const dueEveryMs = 5_000

/**
 * Enqueues what a flushed queue has lost, and the schedule of the sweep; deletes what is past its retention: journal
 * records, finished delivery jobs, bodies of failed ones; checks the token's expiry. Returns the function that ends it.
 */
export function startHousekeeping(
  context: Context,
  scheduleSweeps: () => Promise<void>,
  readTokenExpiry: BotOptions['readTokenExpiry'],
): () => void {
  const { journal, queues, operator, now, log } = context
  const kept = { completed: deduplicationWindowMs, failed: operator.bodyRetentionMs }
  let isStopped = false
  const failing = new Set<string>()
  /** Logs a failure once until it succeeds again. */
  async function attempt(event: string, failure: string, does: readonly Promise<unknown>[]): Promise<void> {
    try {
      await Promise.all(does)
      failing.delete(failure)
    } catch (err) {
      // What `stop` interrupts is repeated at the next start.
      if (!isStopped && !failing.has(failure)) log.error({ event, err }, `${failure}; retried later`)
      failing.add(failure)
    }
  }
  async function run(): Promise<void> {
    if (readTokenExpiry !== undefined)
      void attempt('token_expiry_unknown', 'the expiry date of the service token was not checked', [
        checkTokenExpiry(context, readTokenExpiry),
      ])
    await attempt('not_enqueued', 'unfinished work was not looked for', [scheduleSweeps(), enqueueUnfinished(context)])
    await attempt('retention_failed', 'old records were not deleted', [
      journal.prune(new Date(now())),
      queues.deliveries.cleanFinished(kept, withoutBody),
    ])
  }
  const runDue = () => attempt('not_enqueued', 'what changes with time was not enqueued', [enqueueDue(context)])
  const timers = [setInterval(() => void run(), intervalMs), setInterval(() => void runDue(), dueEveryMs)]
  void run()
  void runDue()
  return () => {
    isStopped = true
    for (const timer of timers) clearInterval(timer)
  }
}

type ReadTokenExpiry = () => Promise<TokenExpiry>

/** The last notification. */
interface Mark {
  token: number
  date: string
  days: number
}

const expiryMark = 'token_expiry'
const steps = [1, 7, 30]

/** Throws JournalUnavailable, and ServiceError in an outage. No alarm if the service does not say when it expires. */
export async function checkTokenExpiry(context: Context, read: ReadTokenExpiry): Promise<void> {
  const { journal, counting, now, log } = context
  const expiry = await read()
  counting?.tokenExpires(expiry.is === 'on' ? expiresAt(expiry.date) : undefined)
  if (expiry.is !== 'on') return
  const { token, date } = expiry
  const left = daysLeft(expiry, now())
  const days = steps.find((each) => left <= each)
  if (days === undefined) return
  const before = await journal.marks.read<Mark>(wholeService, expiryMark)
  if (before?.token === token && before.date === date && before.days <= days) return
  const about = { expiresAt: date, daysLeft: Math.ceil(left) }
  log.warn({ event: 'service_token_expires', date, days: about.daysLeft }, 'the service token expires soon')
  // After a crash before the mark is written it is the same notification.
  await notify(context, { kind: 'token_expires', about }, JSON.stringify([token, date, days]))
  await journal.marks.write(wholeService, expiryMark, { token, date, days })
}
