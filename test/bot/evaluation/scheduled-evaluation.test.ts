// Scheduled evaluations enqueue a merge request at a time, once, through the real queue.
import { expect, test } from 'vitest'
import { createScheduledEvaluationHandler, scheduleEvaluation } from '../../../src/bot/evaluation/next-run.ts'
import type { MergeRequestJob } from '../../../src/bot/queues.ts'
import type { JobQueue } from '../../../src/queue/types.ts'
import { useStores } from '../stores.ts'

const mergeRequest = { project: 7, iid: 3 }
const stores = useStores()

test('a due timer enqueues its merge request; equal times share one timer', async () => {
  const timers = stores.queue.queue<MergeRequestJob>('timers-due')
  const mergeRequests = stores.queue.queue<MergeRequestJob>('merge-requests-due')
  const enqueued: MergeRequestJob[] = []
  const onError = (error: Error) => {
    throw error
  }
  const workers = [
    stores.queue.work(timers.name, createScheduledEvaluationHandler(mergeRequests), { concurrency: 1, onError }),
    stores.queue.work<MergeRequestJob>(
      mergeRequests.name,
      async ({ data }) => {
        enqueued.push(data)
        return { outcome: 'done' }
      },
      { concurrency: 1, onError },
    ),
  ]
  const now = Date.now()
  const at = new Date(now).toISOString()
  await scheduleEvaluation(timers, mergeRequest, at, now)
  await scheduleEvaluation(timers, mergeRequest, at, now)
  await expect.poll(() => enqueued, { timeout: 20_000 }).toEqual([mergeRequest])
  await timers.settled()
  await mergeRequests.settled()
  expect(enqueued).toEqual([mergeRequest])
  await Promise.all(workers.map((worker) => worker.stop(5000)))
})

const now = Date.parse('2026-11-21T12:00:00Z')
const hour = 3_600_000
const day = 24 * hour

/** The delays of the timers that are there after so many asked, in milliseconds. */
async function delaysAfter(ask: (timers: JobQueue<MergeRequestJob>) => Promise<unknown>): Promise<number[]> {
  const delays = new Map<string, number>()
  const add: JobQueue<MergeRequestJob>['add'] = async ({ deduplicationKey = '', delayMs = 0 }) => {
    const added = !delays.has(deduplicationKey)
    if (added) delays.set(deduplicationKey, delayMs)
    return { id: deduplicationKey, added }
  }
  await ask({ add } as JobQueue<MergeRequestJob>)
  return [...delays.values()]
}

test('a time in years is checked within a month, by one timer', async () => {
  const due = await delaysAfter(async (timers) => {
    for (let n = 0; n < 50; n += 1)
      await scheduleEvaluation(
        timers,
        mergeRequest,
        new Date(Date.parse('2036-01-01T00:00:00Z') + n * hour).toISOString(),
        now + n * 1000,
      )
  })
  expect(due).toHaveLength(1)
  expect(due[0]).toBeGreaterThanOrEqual(1000)
  expect(due[0]).toBeLessThanOrEqual(30 * day)
})

test('a time in days is checked on the day before, by one timer for each day', async () => {
  const due = await delaysAfter(async (timers) => {
    for (let n = 0; n < 50; n += 1)
      await scheduleEvaluation(timers, mergeRequest, new Date(now + 20 * day + n * 1000).toISOString(), now + n * 1000)
  })
  expect(due.length).toBeLessThanOrEqual(2)
  for (const each of due) {
    expect(each).toBeGreaterThan(19 * day - hour)
    expect(each).toBeLessThanOrEqual(20 * day)
  }
})

test('a time within a day is checked a second later', async () => {
  expect(
    await delaysAfter((timers) => scheduleEvaluation(timers, mergeRequest, new Date(now + hour).toISOString(), now)),
  ).toEqual([hour + 1000])
})
