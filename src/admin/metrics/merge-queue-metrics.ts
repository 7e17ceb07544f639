// The metrics of merge queues: gauges read from the journal, and counters of this process.
import type { MergeQueueCount } from '../../merge-queue/merge-queue-count.ts'
import { buildStates, entryStates } from '../api/merge-queue-view.ts'
import type { MergeQueueTotals } from './merge-queue-totals.ts'
import { type MetricFactory, put } from './metric-factory.ts'

const waitSeconds = [60, 300, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400]

/** 0 counts the landings within the range. */
const etaErrorSeconds = [0, 60, 300, 900, 1_800, 3_600, 7_200]

export function createMergeQueueMetrics({ counter, gauge, histogram }: MetricFactory) {
  const queues = gauge('bellhop_merge_queues', 'Merge queues that have entries or are paused.', 'state')
  const entries = gauge('bellhop_merge_queue_entries', 'Merge requests in merge queues.', 'state')
  const builds = gauge('bellhop_merge_queue_builds', 'Builds of merge queues.', 'state')
  const window = gauge('bellhop_merge_queue_window', 'Builds that may run at once, of all merge queues with entries.')
  const attempts = counter(
    'bellhop_merge_queue_attempts_total',
    'Branches that merge queues pushed, one for each attempt.',
  )
  const waited = histogram(
    'bellhop_merge_queue_wait_seconds',
    'Time from entering a merge queue to landing.',
    waitSeconds,
  )
  const etaErrors = histogram(
    'bellhop_merge_queue_eta_error_seconds',
    'Time between a landing and the range that its note said first.',
    etaErrorSeconds,
  )
  const voided = counter(
    'bellhop_merge_queue_voided_total',
    'Builds of merge queues that were dropped, by cause.',
    'cause',
  )
  const removals = counter('bellhop_merge_queue_removals_total', 'Merge requests that merge queues removed.', 'reason')
  const pauses = counter('bellhop_merge_queue_pauses_total', 'Merge queues that paused themselves.', 'reason')
  const unverified = counter(
    'bellhop_merge_queue_unverified_total',
    'Landings after which the target is not what was tested.',
  )
  return {
    /** Undefined while the journal does not respond: the gauges are absent. */
    set(totals: MergeQueueTotals | undefined) {
      for (const state of ['active', 'paused'] as const) put(queues, { state }, totals?.queues[state])
      for (const state of entryStates) put(entries, { state }, totals?.entries[state])
      for (const state of buildStates) put(builds, { state }, totals?.builds[state])
      put(window, {}, totals?.window)
    },
    count(what: MergeQueueCount) {
      switch (what.is) {
        case 'built':
          return attempts.inc()
        case 'landed':
          if (what.etaErrorMs !== undefined) etaErrors.observe(what.etaErrorMs / 1_000)
          return waited.observe(what.waitedMs / 1_000)
        case 'voided':
          return voided.inc({ cause: what.cause })
        case 'removed':
          return removals.inc({ reason: what.reason })
        case 'paused':
          if (what.reason === 'unverified_landing') unverified.inc()
          return pauses.inc({ reason: what.reason })
        default:
          return what satisfies never
      }
    },
  }
}
