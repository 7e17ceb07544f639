// Receive over real HTTP into a real queue: the same delivery twice.
import { describe, expect, test } from 'vitest'
import type { DeliveryJob } from '../../../src/bot/intake/delivery-job.ts'
import type { JobQueue, NewJob } from '../../../src/queue/types.ts'
import { closeServersAtTheEnd, idOf, serveHooks, testQueues, useStores } from '../stores.ts'
import { BODY, waiting } from './receive-world.ts'

const stores = useStores()
closeServersAtTheEnd()

describe('the same delivery twice', () => {
  test('the sender’s id makes it one, and the second wakes its merge requests', async () => {
    const queues = testQueues(stores)
    const { post } = await serveHooks({ queues })
    const first = await idOf(await post(BODY, { 'webhook-id': 'msg-1' }))
    const second = await idOf(await post(BODY, { 'idempotency-key': 'msg-1' }))
    expect(second).toBe(first)
    expect(await waiting(queues)).toMatchObject([{ is: 'delivery' }, { is: 'again', delivery: first, why: 'doubled' }])
  })

  test('two different ids are two deliveries, though the body is the same', async () => {
    const queues = testQueues(stores)
    const { post } = await serveHooks({ queues })
    await post(BODY, { 'webhook-id': 'msg-1' })
    await post(BODY, { 'webhook-id': 'msg-2' })
    expect(await waiting(queues)).toMatchObject([{ is: 'delivery' }, { is: 'delivery' }])
  })

  test('the same body within ten minutes is one delivery, also across the window’s edge', async () => {
    const queues = testQueues(stores)
    const tenMinutes = 10 * 60_000
    const edge = Math.ceil((Date.now() + 1) / tenMinutes) * tenMinutes
    let now = edge - 1
    const { post } = await serveHooks({ queues, now: () => now })
    const first = await idOf(await post(BODY))
    now = edge
    expect(await idOf(await post(BODY))).toBe(first)
    // By then the first is older than ten minutes.
    now = edge + tenMinutes
    expect(await idOf(await post(BODY))).not.toBe(first)
    expect((await waiting(queues)).map(({ is }) => is)).toEqual(['delivery', 'again', 'delivery'])
  })

  test('many at the same moment are one delivery', async () => {
    const queues = testQueues(stores)
    const { post } = await serveHooks({ queues })
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(BODY, { 'webhook-id': 'msg-1' })))
    expect(new Set(await Promise.all(answers.map(idOf))).size).toBe(1)
    expect((await waiting(queues)).filter(({ is }) => is === 'delivery')).toHaveLength(1)
  })

  test('a delivery that failed is not "seen": the second puts it back in line', async () => {
    const queues = testQueues(stores)
    const { post } = await serveHooks({ queues })
    const id = await idOf(await post(BODY, { 'webhook-id': 'msg-1' }))
    const worker = stores.queue.work(queues.deliveries.name, async () => ({ outcome: 'failed', reason: 'broken' }), {
      concurrency: 1,
      onError: () => undefined,
    })
    await queues.deliveries.settled()
    await worker.stop(1_000)
    expect((await queues.deliveries.get(id))?.state).toBe('failed')
    expect(await idOf(await post(BODY, { 'webhook-id': 'msg-1' }))).toBe(id)
    expect((await queues.deliveries.get(id))?.state).toBe('waiting')
  })

  test('one that is put back in line by two at once is still accepted', async () => {
    const { deliveries, service } = testQueues(stores)
    const added: NewJob<DeliveryJob>[] = []
    const racing: JobQueue<DeliveryJob> = {
      ...deliveries,
      add: async (job) => {
        added.push(job)
        return { id: job.id ?? 'again', added: job.id === undefined }
      },
      get: async (id) => ({
        id,
        data: { is: 'again', delivery: id, why: 'doubled' },
        state: 'failed',
        attempts: 1,
        addedAt: 0,
      }),
      // As the other one has done it already.
      retry: (id) => deliveries.retry(id),
    }
    const { post } = await serveHooks({ queues: { service, deliveries: racing } })
    expect((await post(BODY, { 'webhook-id': 'msg-1' })).status).toBe(202)
    expect(added.at(-1)?.data).toMatchObject({ is: 'again' })
  })
})
