// Totals over the merge queues, from their records.
import type { Journal } from '../../journal/journal.ts'
import type { MergeQueueRef } from '../../journal/types.ts'
import { buildState, countEntries, entryStates } from '../api/merge-queue-view.ts'
import { cached, orUnavailable } from './cached.ts'

export type MergeQueueTotals = Awaited<ReturnType<typeof readTotals>>

type QueueRecords = Pick<Journal, 'mergeQueues'>

const concurrency = 8
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
  for (let from = 0; from < all.length; from += concurrency)
    await Promise.all(all.slice(from, from + concurrency).map((queue) => addQueue(journal, queue, totals)))
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
