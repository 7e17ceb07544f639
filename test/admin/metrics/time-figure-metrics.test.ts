// The metrics of time figures: of the last seven days, read at most every five minutes, and absent with the journal.
import { createMetrics } from '../../../src/admin/metrics/metrics.ts'
import { recentFigures } from '../../../src/admin/metrics/time-figure-metrics.ts'
import { JournalUnavailable } from '../../../src/journal/errors.ts'
import type { Journal } from '../../../src/journal/journal.ts'
import type { MergeRequestTimes } from '../../../src/rules/explain/time-figures.ts'

const hour = 3_600_000
const start = Date.parse('2026-11-25T12:00:00Z')
const merged = (at: number, hours: number): MergeRequestTimes => ({
  ...{ opened: { at: at - hours * hour, by: 'alice' }, reviews: [], approvals: [], merged: at },
  waits: [{ at: at - hour, for: 'pipeline' }],
})

/** A journal with these times, and how often it was read. */
function journalOf(times: MergeRequestTimes[]) {
  const asked: Parameters<Journal['mergeRequests']['times']>[0][] = []
  const read: Journal['mergeRequests']['times'] = async (of) => {
    asked.push(of)
    return times.map((each, iid) => ({ mergeRequest: { project: 1, iid }, times: each }))
  }
  const journal: Pick<Journal, 'mergeRequests'> = {
    mergeRequests: { times: read } as Journal['mergeRequests'],
  }
  return { journal, asked }
}
const lines = async (times: Parameters<ReturnType<typeof createMetrics>['text']>[0]) =>
  (await createMetrics({ version: '', queue: '', operatorRules: [] }).text(times))
    .split('\n')
    .filter((line) => line.startsWith('bellhop_merge_request_time'))

test('are of what ended in the last seven days, by figure and percentile', async () => {
  const tooOld = merged(start - 7 * 24 * hour - 1, 9)
  const { journal, asked } = journalOf([
    tooOld,
    merged(start, 2),
    merged(start - 7 * 24 * hour, 4),
    {
      ...{ reviews: [], approvals: [], waits: [], merged: start },
    },
  ])
  const times = await recentFigures(journal, () => start)()
  expect(asked[0]?.since).toEqual(new Date('2026-11-16T00:00:00Z'))
  const text = await lines({ depth: [], state: 'fine', times })
  expect(text).toContain('bellhop_merge_request_time_seconds{figure="merge",percentile="50"} 7200')
  expect(text).toContain('bellhop_merge_request_times{figure="merge"} 2')
  expect(text).toContain('bellhop_merge_request_time_seconds{figure="waiting_pipeline",percentile="50"} 3600')
  expect(text).toContain('bellhop_merge_request_times{figure="waiting_freeze"} 0')
  expect(text).toContain('bellhop_merge_request_times_left_out 1')
  expect(text.join('\n')).not.toContain('percentile="90"')
})

test('are read at most once in five minutes', async () => {
  const { journal, asked } = journalOf([])
  let now = start
  const read = recentFigures(journal, () => now)
  await read()
  now += 5 * 60_000 - 1
  await read()
  expect(asked).toHaveLength(1)
  now += 1
  await read()
  expect(asked).toHaveLength(2)
})

test('are absent while the journal is away', async () => {
  const times = () => Promise.reject(new JournalUnavailable('it is away'))
  const away = { mergeRequests: { times } as unknown as Journal['mergeRequests'] }
  const figures = await recentFigures(away, () => start)()
  expect(await lines({ depth: [], state: 'fine', times: figures })).toEqual([])
})
