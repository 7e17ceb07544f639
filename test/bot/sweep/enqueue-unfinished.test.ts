// What is enqueued anew from the journal, after the queue has lost its jobs.
import { expect, test } from 'vitest'
import { enqueueUnfinished } from '../../../src/bot/sweep/enqueue-unfinished.ts'
import { testQueues, useStores } from '../stores.ts'
import { testContext } from '../test-context.ts'

const stores = useStores()
const hourMs = 60 * 60_000
const event = { kind: 'note.create', actor: {}, at: '2026-11-21T10:00:00.000Z' }
const _entry = { iid: 1, queue: 'main', target: 'main', head: 'a', since: 1, priority: 0, frozen: false }

function lostQueues() {
  const queues = testQueues(stores)
  const { journal } = stores
  const now = Date.now()
  const enqueue = () => enqueueUnfinished(testContext({ journal, queues, now: () => now }))
  const inHours = (hours: number) => new Date(now + hours * hourMs).toISOString()
  return { journal, ...queues, enqueue, inHours }
}

test('a merge request with pending events is evaluated, once, and no other', async () => {
  const { journal, mergeRequests, enqueue } = lostQueues()
  for (const [iid, deliveryId] of [[1, 'a'] as const, [1, 'b'] as const, [2, 'c'] as const])
    await journal.events.add({ project: 7, iid }, { deliveryId, event })
  const processed = await journal.events.pending({ project: 7, iid: 2 })
  await journal.mergeRequests.save({ project: 7, iid: 2 }, { processed })
  await enqueue()
  await enqueue()
  expect((await mergeRequests.list(['waiting'], 0, 9)).map(({ data }) => data)).toEqual([{ project: 7, iid: 1 }])
})

test('a merge request that changes within a day is scheduled for then, at once where that has passed', async () => {
  const { journal, scheduledEvaluations, enqueue, inHours } = lostQueues()
  for (const [iid, hours] of [[1, -2] as const, [2, 5] as const, [3, 50] as const])
    await journal.mergeRequests.save({ project: 7, iid }, { changesAt: inHours(hours) })
  await enqueue()
  const jobs = await scheduledEvaluations.list(['delayed'], 0, 9)
  expect(jobs.map(({ data: { iid } }) => iid).toSorted()).toEqual([1, 2])
})
