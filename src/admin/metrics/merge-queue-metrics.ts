// The metrics of merge queues: gauges read from the journal, and counters of this process.
import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { MergeQueueCount } from '../../merge-queue/merge-queue-count.ts'
import { buildStates, entryStates } from '../api/merge-queue-view.ts'
import type { MergeQueueTotals } from './merge-queue-totals.ts'

const waitSeconds = [60, 300, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400]

/** The first: within the range. */
const etaErrorSeconds = [0, 60, 300, 900, 1_800, 3_600, 7_200]

export interface MergeQueueMetrics {
  /** Undefined while the journal does not respond: the gauges are absent. */
  set(totals: MergeQueueTotals | undefined): void
  count(what: MergeQueueCount): void
}

export function createMergeQueueMetrics(registry: Registry): MergeQueueMetrics {
  const registers = [registry]
  const labelled = <L extends string>(...labels: L[]) => ({ labelNames: labels, registers })
  const queues = new Gauge({
    ...{ name: 'bellhop_merge_queues', help: 'Merge queues that have entries or are paused.' },
    ...labelled('state'),
  })
  const entries = new Gauge({
    ...{ name: 'bellhop_merge_queue_entries', help: 'Merge requests in merge queues.' },
    ...labelled('state'),
  })
  const builds = new Gauge({
    ...{ name: 'bellhop_merge_queue_builds', help: 'Builds of merge queues.' },
    ...labelled('state'),
  })
  const window = new Gauge({
    ...{ name: 'bellhop_merge_queue_window', help: 'Builds that may run at once, of all merge queues with entries.' },
    ...labelled(),
  })
  const attempts = new Counter({
    ...{ name: 'bellhop_merge_queue_attempts_total', help: 'Branches that merge queues pushed, one for each attempt.' },
    ...labelled(),
  })
  const waited = new Histogram({
    ...{ name: 'bellhop_merge_queue_wait_seconds', help: 'Time from entering a merge queue to landing.' },
    ...{ ...labelled(), buckets: waitSeconds },
  })
  const etaErrors = new Histogram({
    ...{
      name: 'bellhop_merge_queue_eta_error_seconds',
      help: 'Time between a landing and the range that its note said first.',
    },
    ...{ ...labelled(), buckets: etaErrorSeconds },
  })
  const voided = new Counter({
    ...{ name: 'bellhop_merge_queue_voided_total', help: 'Builds of merge queues that were tested in vain.' },
    ...labelled('cause'),
  })
  const removals = new Counter({
    ...{ name: 'bellhop_merge_queue_removals_total', help: 'Merge requests that merge queues removed.' },
    ...labelled('reason'),
  })
  const pauses = new Counter({
    ...{ name: 'bellhop_merge_queue_pauses_total', help: 'Merge queues that paused themselves.' },
    ...labelled('reason'),
  })
  const unverified = new Counter({
    ...{
      name: 'bellhop_merge_queue_unverified_total',
      help: 'Landings after which the target is not what was tested.',
    },
    ...labelled(),
  })
  return {
    set(totals) {
      for (const state of ['active', 'paused'] as const) put(queues, { state }, totals?.queues[state])
      for (const state of entryStates) put(entries, { state }, totals?.entries[state])
      for (const state of buildStates) put(builds, { state }, totals?.builds[state])
      put(window, {}, totals?.window)
    },
    count(what) {
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

/** Undefined: it is absent. */
export function put<L extends string>(gauge: Gauge<L>, labels: Record<L, string>, value: number | undefined): void {
  if (value === undefined) gauge.remove(labels)
  else gauge.set(labels, value)
}
