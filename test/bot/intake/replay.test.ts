// Replays of deliveries and decisions.
import { randomUUID } from 'node:crypto'
import { createReplays } from '../../../src/bot/intake/replay.ts'
import type { DeliveryRecord } from '../../../src/journal/types.ts'
import { testQueues, useStores } from '../stores.ts'
import { testContext } from '../test-context.ts'

const stores = useStores()
const at = '2026-11-21T12:00:00.000Z'

/** A delivery in that state, with a job in that state where there is one, and a body while it is kept. */
async function world(
  state: DeliveryRecord['state'],
  { job, body }: { job?: 'completed' | 'failed'; body?: string } = {},
) {
  const queues = testQueues(stores)
  const replays = createReplays(testContext({ queues, journal: stores.journal, now: () => Date.parse(at) }))
  const id = `d-${randomUUID()}`
  const record = { id, receivedAt: at, header: 'Push Hook', bytes: 2, state, mergeRequests: [] }
  await stores.journal.deliveries.save(record, body === undefined ? {} : { body: { text: body, keepMs: 60_000 } })
  if (job !== undefined) {
    await queues.deliveries.add({ id, data: { is: 'delivery', receivedAt: at, header: '', body: '{}' } })
    const ends = job === 'failed' ? { outcome: 'failed' as const, reason: 'broken' } : { outcome: 'done' as const }
    const options = { concurrency: 1, onError: () => undefined }
    const worker = stores.queue.work(queues.deliveries.name, async () => ends, options)
    await expect.poll(async () => (await queues.deliveries.get(id))?.state).toBe(job)
    await worker.stop(2_000)
  }
  const waiting = async () =>
    (await queues.deliveries.list(['waiting', 'prioritized'], 0, 10)).map(({ data }) => data.is)
  return { id, queues, waiting, ...replays }
}

test.each(['no_merge_request', 'unreadable'] as const)(
  'a delivery that was %s is replayed while its body is kept, and forgotten after',
  async (state) => {
    const kept = await world(state, { job: 'completed', body: '{}' })
    expect([await kept.delivery(kept.id, 'ann'), await kept.waiting()]).toEqual([
      { is: 'replayed', number: 1 },
      ['again'],
    ])
    const gone = await world(state, { job: 'completed' })
    expect([await gone.delivery(gone.id, 'ann'), await gone.waiting()]).toEqual([{ is: 'body_expired' }, []])
    expect((await stores.journal.deliveries.find(gone.id))?.replays).toEqual([])
  },
)

test('a delivery whose job failed is retried, whatever its state', async () => {
  for (const state of ['received', 'no_merge_request', 'read'] as const) {
    const { id, delivery, waiting } = await world(state, { job: 'failed' })
    expect([state, await delivery(id, 'ann', 'a fix'), await waiting()]).toEqual([
      state,
      { is: 'replayed', number: 1 },
      ['delivery'],
    ])
    expect((await stores.journal.deliveries.find(id))?.replays).toEqual([{ at, by: 'ann', why: 'a fix' }])
  }
})

test('a delivery that was read enqueues its merge requests for each replay', async () => {
  const { id, delivery, waiting } = await world('read')
  expect([await delivery(id, 'ann'), await delivery(id, 'bob')]).toEqual([
    { is: 'replayed', number: 1 },
    { is: 'replayed', number: 2 },
  ])
  expect(await waiting()).toEqual(['again', 'again'])
})

test('an unknown delivery or decision is not replayed', async () => {
  const { delivery, decision, waiting } = await world('read')
  expect([await delivery('unknown', 'ann'), await decision('unknown', 'ann'), await waiting()]).toEqual([
    { is: 'unknown' },
    { is: 'unknown' },
    [],
  ])
})
