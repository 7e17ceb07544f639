// Every recorded version of job data stays readable, and today's data is the newest recorded version.
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { MergeRequestJob } from '../../../src/bot/evaluation/merge-request-job.ts'
import type { ScheduledEvaluationJob } from '../../../src/bot/evaluation/scheduled-evaluation.ts'
import type { DeliveryJob } from '../../../src/bot/intake/delivery-job.ts'
import type { NotificationJob } from '../../../src/bot/notifications/notify.ts'
import type { SweepJob } from '../../../src/bot/sweep/sweep-jobs.ts'
import { decodeData, encodeData, isNewer, JOB_VERSION, type StoredData } from '../../../src/queue/bullmq/job-data.ts'

const folder = new URL('./recorded/', import.meta.url)
/** What a version wrote; a later one records only what it writes in another way. */
const recorded = (version: number): Record<string, StoredData> =>
  JSON.parse(readFileSync(new URL(`v${version}.json`, folder), 'utf8'))
const versions = Array.from({ length: JOB_VERSION }, (_, at) => at + 1)

const mergeRequest = { project: 7, iid: 42 }
/** What each recorded job means, in the words of today. */
const meant = {
  'deliveries: a delivery': {
    ...{ is: 'delivery', receivedAt: '2026-11-22T03:00:00.000Z', header: 'Push Hook' },
    ...{ body: '{"object_kind":"push"}', secretProject: 7 },
  } satisfies DeliveryJob,
  'deliveries: one whose body holds what PostgreSQL refuses': {
    ...{ is: 'delivery', receivedAt: '2026-11-22T03:00:00.000Z', header: 'Note Hook' },
    body: 'a NUL: \0',
  } satisfies DeliveryJob,
  'deliveries: a duplicate': { is: 'again', delivery: 'd-1', why: 'duplicate' } satisfies DeliveryJob,
  'deliveries: a replay': {
    ...{ is: 'again', delivery: 'd-1', why: 'replay' },
    replay: { number: 2, at: '2026-11-22T03:00:00.000Z' },
  } satisfies DeliveryJob,
  'merge requests: one': mergeRequest satisfies MergeRequestJob,
  'merge requests: the project itself': { ...mergeRequest, iid: 0 } satisfies MergeRequestJob,
  'timers: one': mergeRequest satisfies ScheduledEvaluationJob,
  'rule changes: one': mergeRequest satisfies MergeRequestJob,
  'sweeps: of the schedule': { is: 'tick' } satisfies SweepJob,
  'sweeps: at the start': { is: 'sweep', why: 'start' } satisfies SweepJob,
  'sweeps: asked for': { is: 'asked', id: 's-1' } satisfies SweepJob,
  'notices: a summary': { is: 'summary' } satisfies NotificationJob,
}

const meantBy = (version: number) =>
  Object.fromEntries(Object.entries(meant).filter(([name]) => name in recorded(version)))

describe.each(versions)('jobs of version %i', (version) => {
  test('are read as they were meant', () => {
    const read = Object.entries(recorded(version)).map(([name, stored]) => [
      name,
      isNewer(stored) ? 'newer' : decodeData(stored),
    ])
    expect(Object.fromEntries(read)).toEqual(meantBy(version))
  })
})

test('what is written today is what was recorded: raise JOB_VERSION and record what must differ', () => {
  const written = Object.entries(meant).map(([name, data]) => [name, encodeData(data)])
  expect(Object.fromEntries(written)).toEqual(Object.assign({}, ...versions.map(recorded)))
})

test('every version has its record, and none is ahead', () => {
  expect(readdirSync(folder).sort()).toEqual(versions.map((version) => `v${version}.json`))
  expect(isNewer({ v: JOB_VERSION + 1, data: null })).toBe(true)
})
