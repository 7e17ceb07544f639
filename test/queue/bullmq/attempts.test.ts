// How long a job waits before it runs again.
import { backoffMs, crashBackoffMs, NO_RUNS, readRuns } from '../../../src/queue/bullmq/attempts.ts'

test('waits double up to an hour, less up to half of it by chance', () => {
  expect([1, 2, 3, 12, 13, 40].map((attempt) => backoffMs(attempt, 1_000, 1))).toEqual([
    1_000, 2_000, 4_000, 2_048_000, 3_600_000, 3_600_000,
  ])
  expect(backoffMs(3, 1_000, 0)).toBe(2_000)
})

test('each crash in a row doubles the wait', () => {
  expect([1, 2, 3, 4].map((crashes) => crashBackoffMs(crashes, 1_000, 1))).toEqual([10_000, 20_000, 40_000, 80_000])
})

test('any other progress of a job counts as no runs', () => {
  for (const progress of [0, null, 'x', { percent: 3 }]) expect(readRuns(progress)).toEqual(NO_RUNS)
})
