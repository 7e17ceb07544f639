// What is enqueued anew from the journal, after the queue has lost its jobs.
import { enqueueDue, enqueueUnfinished } from '../../../src/bot/sweep/enqueue-unfinished.ts'
import { testQueues, useStores } from '../stores.ts'
import { testContext } from '../test-context.ts'

const stores = useStores()
const hourMs = 60 * 60_000
const event = { kind: 'note.create', actor: {}, at: '2026-11-21T10:00:00.000Z' }

function lostQueues() {
  const queues = testQueues(stores)
  const { journal } = stores
  const now = Date.now()
  const context = testContext({ journal, queues, now: () => now })
  return { journal, ...queues, context, now, enqueue: () => enqueueUnfinished(context) }
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

test('a merge request that time changes is evaluated once its time has passed, and again later unless it was', async () => {
  const { journal, mergeRequests, context, now } = lostQueues()
  const at = (ms: number) => new Date(now + ms).toISOString()
  for (const [iid, ms] of [[1, -2 * hourMs] as const, [2, -10] as const, [3, hourMs] as const])
    await journal.mergeRequests.save({ project: 7, iid }, { changesAt: at(ms) })
  const enqueued = async (later: number) => {
    await enqueueDue({ ...context, now: () => now + later })
    const jobs = await mergeRequests.list(['waiting'], 0, 9)
    for (const { id } of jobs) await mergeRequests.remove(id)
    return jobs.map(({ data: { iid } }) => iid).toSorted()
  }
  expect(await enqueued(0)).toEqual([1])
  expect(await enqueued(1_500)).toEqual([2])
  await journal.mergeRequests.save({ project: 7, iid: 1 }, { changesAt: null })
  expect(await enqueued(hourMs / 2)).toEqual([2])
})
