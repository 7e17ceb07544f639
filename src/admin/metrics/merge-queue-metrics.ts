// The metrics of merge queues: gauges read from the journal, and counters of this process.
import pLimit from 'p-limit'
import type { Journal } from '../../journal/journal.ts'
import type { MergeQueueRef } from '../../journal/types.ts'
import type { MergeQueueCount } from '../../merge-queue/types.ts'
import { buildState, buildStates, countEntries, entryStates } from '../api/merge-queue-responses.ts'
import { cached, type MetricFactory, orUnavailable, put } from './metric-factory.ts'

const waitSeconds = [60, 300, 900, 1_800, 3_600, 7_200, 14_400, 43_200, 86_400]

/** 0 counts the landings within the range. */
const etaErrorSeconds = [60, 300, 900, 1_800, 3_600, 7_200]

export function createMergeQueueMetrics({ counter, gauge, histogram }: MetricFactory) {
  const queues = gauge('merge_queues', 'Merge queues that have entries or are paused.', 'state')
  const entries = gauge('merge_queue_entries', 'Merge requests in merge queues.', 'state')
  const builds = gauge('merge_queue_builds', 'Builds of merge queues.', 'state')
  const window = gauge('merge_queue_window', 'Builds that may run at once, of all merge queues with entries.')
  const attempts = counter('merge_queue_attempts_total', 'Branches that merge queues pushed, one for each attempt.')
  const waited = histogram('merge_queue_wait_seconds', 'Time from entering a merge queue to landing.', waitSeconds)
  const etaErrors = histogram(
    'merge_queue_eta_error_seconds',
    'Time between a landing and the time that its note said first.',
    etaErrorSeconds,
  )
  const voided = counter('merge_queue_voided_total', 'Builds of merge queues that were dropped, by cause.', 'cause')
  const removals = counter('merge_queue_removals_total', 'Merge requests that merge queues removed.', 'reason')
  const pauses = counter('merge_queue_pauses_total', 'Merge queues that paused themselves.', 'reason')
  const unverified = counter('merge_queue_unverified_total', 'Landings after which the target is not what was tested.')
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
        case 'unverified':
          return unverified.inc()
        case 'paused':
          return pauses.inc({ reason: what.reason })
        default:
          return what satisfies never
      }
    },
  }
}

export type MergeQueueTotals = Awaited<ReturnType<typeof readTotals>>

type QueueRecords = Pick<Journal, 'mergeQueues'>

const cacheMs = 10_000

/** Reads the totals at most once in ten seconds; undefined while the journal does not respond. */
export function mergeQueueTotals(journal: QueueRecords, now: () => number) {
  return cached(() => readTotals(journal).catch(orUnavailable), { cacheMs, now })
}

async function readTotals(journal: QueueRecords) {
  const totals = {
    queues: { active: 0, paused: 0 },
    /** The sum over the queues that have entries. */
    window: 0,
    entries: { testing: 0, waiting: 0, frozen: 0, removed: 0 },
    builds: { preparing: 0, testing: 0, failed: 0, landing: 0 },
  }
  const all = await journal.mergeQueues.all()
  await pLimit(8).map(all, (queue) => addQueue(journal, queue, totals))
  return totals
}

async function addQueue(journal: QueueRecords, queue: MergeQueueRef, totals: MergeQueueTotals): Promise<void> {
  const [record, entries] = await Promise.all([journal.mergeQueues.find(queue), journal.mergeQueues.entries(queue)])
  if (record?.paused !== undefined) totals.queues.paused += 1
  else if (entries.length > 0) totals.queues.active += 1
  const counts = countEntries(record ?? { builds: [], removals: [] }, entries)
  for (const state of entryStates) totals.entries[state] += counts[state]
  if (record === undefined) return
  for (const [index, build] of record.builds.entries()) totals.builds[buildState(record, build, index)] += 1
  if (entries.length > 0) totals.window += record.window
}
