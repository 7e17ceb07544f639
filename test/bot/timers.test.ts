// Timers wake a merge request at a moment, once, through the real queue.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { MergeRequestJob } from '../../src/bot/intake.ts'
import { createTimerHandler, setTimer, type TimerJob } from '../../src/bot/timers.ts'
import { openQueue } from '../../src/queue/open-queue.ts'
import type { Queue } from '../../src/queue/types.ts'

const folder = mkdtempSync(join(tmpdir(), 'bellhop-timers-'))
const mergeRequest = { service: 's', project: 7, iid: 3 }
let queue: Queue
beforeAll(async () => {
  queue = await openQueue({ url: `embedded:${folder}`, onProgress: () => {} })
})
afterAll(async () => {
  await queue.close()
  rmSync(folder, { recursive: true, force: true })
})

test('a timer that is due wakes its merge request, and the same moment is kept once', async () => {
  const timers = queue.lane<TimerJob>('timers-due')
  const mergeRequests = queue.lane<MergeRequestJob>('merge-requests-due')
  const woken: MergeRequestJob[] = []
  const onError = (error: Error) => {
    throw error
  }
  const workers = [
    queue.work('timers-due', createTimerHandler(mergeRequests), { concurrency: 1, onError }),
    queue.work<MergeRequestJob>(
      'merge-requests-due',
      async ({ data }) => {
        woken.push(data)
        return { outcome: 'done' }
      },
      { concurrency: 1, onError },
    ),
  ]
  const now = Date.now()
  const at = new Date(now).toISOString()
  await setTimer(timers, mergeRequest, at, now)
  await setTimer(timers, mergeRequest, at, now)
  await expect.poll(() => woken, { timeout: 20_000 }).toEqual([mergeRequest])
  await timers.settled()
  await mergeRequests.settled()
  expect(woken).toEqual([mergeRequest])
  await Promise.all(workers.map((worker) => worker.stop(5000)))
})

test('what is due in years is looked at in a month', async () => {
  const timers = queue.lane<TimerJob>('timers-far')
  const now = Date.parse('2026-11-21T12:00:00Z')
  await setTimer(timers, mergeRequest, '2036-01-01T00:00:00Z', now)
  const [job] = await timers.list(['delayed'], 0, 10)
  expect(job?.id).toBe(`timer-7-3-${now / 1000 + 30 * 24 * 3600 + 1}`)
})
