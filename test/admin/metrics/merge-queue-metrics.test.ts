// The metrics of merge queues: what their records say, and what was counted.
import { type MergeQueueTotals, mergeQueueTotals } from '../../../src/admin/metrics/merge-queue-metrics.ts'
import { createMetrics } from '../../../src/admin/metrics/metrics.ts'
import { JournalUnavailable } from '../../../src/journal/errors.ts'
import type { Journal } from '../../../src/journal/journal.ts'
import type { MergeQueueEntry, MergeQueueRef } from '../../../src/journal/types.ts'
import { emptyRecord } from '../../../src/merge-queue/plan.ts'
import type { MergeQueueRecord } from '../../../src/merge-queue/types.ts'
import { useStores } from '../../bot/stores.ts'
import { readExposition, sampleOf } from './exposition.ts'

const stores = useStores()
const member = (iid: number) => ({ iid, head: `h${iid}` })

async function save(queue: MergeQueueRef, entries: Partial<MergeQueueEntry>[], record?: Partial<MergeQueueRecord>) {
  const { project, target } = queue
  for (const [index, given] of entries.entries())
    await stores.journal.mergeQueues.saveEntry(
      { project, iid: index + 1 },
      { ...member(index + 1), queue: 'main', target, since: 0, priority: 0, frozen: false, ...given },
    )
  const empty = { ...emptyRecord(), window: 3 }
  if (record !== undefined) await stores.journal.mergeQueues.change(queue, () => ({ ...empty, ...record }))
}

test('the totals are of all queues', async () => {
  await save({ project: 1, target: 'main' }, [{}, {}, { frozen: true }, {}], {
    builds: [
      { members: [member(1)], commit: 'c', tree: 't', attempts: [{ number: 1, commit: 'c' }] },
      { members: [member(2)], attempts: [{ number: 2 }] },
    ],
    removals: [{ member: member(4), reason: 'conflict', at: 0 }],
  })
  await save({ project: 2, target: 'main' }, [{}], { paused: { reason: 'by_operator', since: 0 } })
  await save({ project: 3, target: 'main' }, [{}])
  let now = 0
  const read = mergeQueueTotals(stores.journal, () => now)
  const totals: MergeQueueTotals = {
    ...{ queues: { active: 2, paused: 1 }, window: 6, entries: { testing: 2, waiting: 2, frozen: 1, removed: 1 } },
    builds: { preparing: 1, testing: 1, failed: 0, landing: 0 },
  }
  expect(await read()).toEqual(totals)
  await stores.journal.mergeQueues.saveEntry({ project: 3, iid: 1 }, undefined)
  now = 9_999
  expect(await read()).toEqual(totals)
  now = 10_000
  expect((await read())?.queues).toEqual({ active: 1, paused: 1 })
})

test('are served while the journal is away, without the gauges of merge queues', async () => {
  const away = () => Promise.reject(new JournalUnavailable('it is away'))
  const journal = { mergeQueues: { all: away } } as unknown as Journal
  expect(await mergeQueueTotals(journal, () => 0)()).toBeUndefined()
  const metrics = createMetrics({ version: '', queue: '', operatorRules: [] })
  const families = async (mergeQueues: MergeQueueTotals | undefined) =>
    readExposition(await metrics.text({ depth: [], state: 'fine', mergeQueues }))
  const totals: MergeQueueTotals = {
    ...{ queues: { active: 2, paused: 1 }, window: 6, entries: { testing: 3, waiting: 0, frozen: 0, removed: 0 } },
    builds: { preparing: 0, testing: 0, failed: 0, landing: 0 },
  }
  const there = await families(totals)
  const shown = ['bellhop_merge_queue_window', 'bellhop_merge_queues{state="paused"}']
  expect(shown.map((series) => sampleOf(there, series))).toEqual([6, 1])
  const gone = await families(undefined)
  for (const name of ['bellhop_merge_queues', 'bellhop_merge_queue_entries', 'bellhop_merge_queue_window'])
    expect(gone.get(name)?.samples.size).toBe(0)
})

test('landings, removals and pauses are counted, and an unverified landing by itself', async () => {
  const metrics = createMetrics({ version: '', queue: '', operatorRules: [] })
  const { mergeQueue } = metrics
  mergeQueue({ is: 'built' })
  mergeQueue({ is: 'built' })
  mergeQueue({ is: 'landed', waitedMs: 120_000 })
  mergeQueue({ is: 'landed', waitedMs: 60_000, etaErrorMs: 0 })
  mergeQueue({ is: 'landed', waitedMs: 60_000, etaErrorMs: 90_000 })
  mergeQueue({ is: 'voided', cause: 'target_moved' })
  mergeQueue({ is: 'removed', reason: 'conflict' })
  mergeQueue({ is: 'paused', reason: 'no_pipeline' })
  mergeQueue({ is: 'unverified' })
  const families = readExposition(await metrics.text({ depth: [], state: 'fine' }))
  const of = (series: string) => sampleOf(families, `bellhop_merge_queue_${series}`)
  expect({
    attempts: of('attempts_total'),
    landed: [of('wait_seconds_count'), of('wait_seconds_sum')],
    eta: [of('eta_error_seconds_count'), of('eta_error_seconds_sum')],
    near: of('eta_error_seconds_bucket{le="60"}'),
    voided: of('voided_total{cause="target_moved"}'),
    conflicts: of('removals_total{reason="conflict"}'),
    noPipeline: of('pauses_total{reason="no_pipeline"}'),
    unverified: of('unverified_total'),
  }).toEqual({
    ...{ attempts: 2, landed: [3, 240], eta: [2, 90], near: 1, voided: 1 },
    ...{ conflicts: 1, noPipeline: 1, unverified: 1 },
  })
})
