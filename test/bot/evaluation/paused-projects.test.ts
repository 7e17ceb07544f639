// Paused projects on a real queue and journal: what is held back is never lost, whoever pauses, resumes and judges at once.
import { expect, test } from 'vitest'
import type { MergeRequestJob } from '../../../src/bot/evaluation/merge-request-job.ts'
import { createPausedProjects } from '../../../src/bot/evaluation/paused-projects.ts'
import type { Journal } from '../../../src/journal/types.ts'
import type { JobQueue, RunningJob } from '../../../src/queue/types.ts'
import { type TestQueues, testQueues, useStores } from '../stores.ts'

const stores = useStores()
const at = '2026-11-21T12:00:00.000Z'

/** Of a service that no other test knows; what is judged is written down. */
function world(given: { queues?: TestQueues; journal?: Journal; lane?: JobQueue<MergeRequestJob> } = {}) {
  const { queues = testQueues(stores), journal = stores.journal } = given
  const { service } = queues
  const { lane = queues.mergeRequests } = given
  const paused = createPausedProjects(service, journal, [lane, queues.ruleChanges])
  const judged: number[] = []
  const handler = paused.unlessPaused(lane, async ({ data }) => {
    judged.push(data.iid)
    return { outcome: 'done' }
  })
  return {
    ...{ queues, service, judged },
    ...paused,
    pauseOne: (project: number, by = 'ann') => paused.pause({ project, at, by }),
    run: (iid: number, project = 7) =>
      handler({ data: { service, project, iid }, claim: async () => false } as RunningJob<MergeRequestJob>),
    /** The merge requests that wait to be judged. */
    waiting: async () =>
      (await queues.mergeRequests.list(['waiting', 'prioritized'], 0, 10)).map(({ data }) => data.iid).sort(),
  }
}

test('nothing of a paused project is judged, and each that was held back is enqueued once when it is resumed', async () => {
  const { pauseOne, run, judged, resume, waiting, list } = world()
  await pauseOne(7)
  for (const iid of [1, 2, 1]) expect(await run(iid)).toEqual({ outcome: 'done' })
  await run(3, 8)
  expect([judged, await waiting(), await list()]).toEqual([[3], [], [{ project: 7, at, by: 'ann' }]])
  expect([await resume(7), await waiting(), await list()]).toEqual([2, [1, 2], []])
  await run(1)
  expect([judged, await resume(7)]).toEqual([[3, 1], 0])
})

test('paused once more it stays as it was first, and other projects stay as they are', async () => {
  const { pauseOne, resume, list } = world()
  await pauseOne(7)
  await pauseOne(8, 'bob')
  await pauseOne(7, 'carol')
  await resume(8)
  expect(await list()).toEqual([{ project: 7, at, by: 'ann' }])
})

test('one service is not paused by another', async () => {
  const [one, other] = [world(), world()]
  await one.pauseOne(7)
  await other.run(1)
  expect([other.judged, await other.list(), await other.resume(7)]).toEqual([[1], [], 0])
  await one.run(1)
  expect(one.judged).toEqual([])
})

test('one that is about to be held back when the project is resumed is judged at once', async () => {
  const queues = testQueues(stores)
  let resumed = false
  const journal: Journal = {
    ...stores.journal,
    async changeMark(service, project, mark, to) {
      await stores.journal.changeMark(service, project, mark, to)
      if (!mark.startsWith('held') || resumed) return
      resumed = true
      await beside.resume(7)
    },
  }
  const beside = world({ queues })
  const { pauseOne, run, judged } = world({ queues, journal })
  await pauseOne(7)
  await run(1)
  expect([resumed, judged]).toEqual([true, [1]])
})

test('one that is held back while others are enqueued is not forgotten', async () => {
  const queues = testQueues(stores)
  const beside = world({ queues })
  const lane: JobQueue<MergeRequestJob> = {
    ...queues.mergeRequests,
    async add(job) {
      await beside.pauseOne(7)
      await beside.run(2)
      return queues.mergeRequests.add(job)
    },
  }
  const { resume } = world({ queues, lane })
  await beside.pauseOne(7)
  await beside.run(1)
  expect(await resume(7)).toBe(1)
  expect([await beside.resume(7), await beside.waiting()]).toEqual([1, [1, 2]])
})
