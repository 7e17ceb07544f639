// What the receiver enqueues and answers: for a delivery, for its duplicate, and when queue or capacity is lacking.
import { projectSecrets } from '../../../src/bot/webhook/hook-secrets.ts'
import { QueueUnavailable } from '../../../src/queue/errors.ts'
import { idOf, signingKey, TOKEN } from '../stores.ts'
import { BODY, MASTER_KEY, signed, useReceivers } from './receive-world.ts'

const { stores, serve } = useReceivers()

describe('an authenticated delivery', () => {
  test('is enqueued as it was sent, without the secret', async () => {
    const { post, queues } = await serve()
    const job = await queues.deliveries.get(await idOf(await post(BODY, { 'x-gitlab-event': 'Push Hook' })))
    expect(job?.data).toMatchObject({ is: 'delivery', header: 'Push Hook', body: BODY })
    expect(JSON.stringify(job)).not.toContain(TOKEN)
  })

  test('is in the queue before the answer 202', async () => {
    const order: string[] = []
    const { url, post, queues } = await serve({
      deliveries: {
        async add(job) {
          // An answer that did not wait for the queue would arrive before these.
          for (let round = 0; round < 3; round += 1) await (await fetch(url)).text()
          order.push('in the queue')
          return queues.deliveries.add(job)
        },
      },
    })
    const id = await idOf(await post(BODY))
    order.push('answered')
    expect(order).toEqual(['in the queue', 'answered'])
    expect(await queues.deliveries.get(id)).toBeDefined()
  })

  test('is accepted with any content', async () => {
    const { post, jobs } = await serve()
    const bodies = ['nonsense', '', 'null', 'a=b', '{"a":"\\u0000\\ud800\0"}']
    for (const body of bodies) await idOf(await post(body, { 'content-type': 'text/plain' }))
    expect((await jobs()).map((job) => job.is === 'delivery' && job.body)).toEqual(bodies)
  })
})

describe('the same delivery twice', () => {
  test('is one delivery by the id of the sender; the second evaluates its merge requests again', async () => {
    const { post, jobs } = await serve()
    const first = await idOf(await post(BODY, { 'webhook-id': 'msg-1' }))
    expect(await idOf(await post(BODY, { 'idempotency-key': 'msg-1' }))).toBe(first)
    await post(BODY, { 'webhook-id': 'msg-2' })
    expect(await jobs()).toMatchObject([
      { is: 'delivery' },
      { is: 'again', delivery: first, why: 'duplicate' },
      { is: 'delivery' },
    ])
  })

  test('is one delivery by its body in the same ten minutes', async () => {
    const tenMinutes = 10 * 60_000
    const edge = Math.ceil((Date.now() + 1) / tenMinutes) * tenMinutes
    let now = edge - tenMinutes
    const { post, jobs } = await serve({ now: () => now })
    const first = await idOf(await post(BODY))
    now = edge - 1
    expect(await idOf(await post(BODY))).toBe(first)
    now = edge
    expect(await idOf(await post(BODY))).not.toBe(first)
    expect((await jobs()).map(({ is }) => is)).toEqual(['delivery', 'again', 'delivery'])
  })

  test('is retried where the first has failed', async () => {
    const { post, queues } = await serve()
    const id = await idOf(await post(BODY, { 'webhook-id': 'msg-1' }))
    const failing = async () => ({ outcome: 'failed' as const, reason: 'broken' })
    const worker = stores.queue.work(queues.deliveries.name, failing, { concurrency: 1, onError: () => undefined })
    await queues.deliveries.settled()
    await worker.stop(1_000)
    const state = async () => (await queues.deliveries.get(id))?.state
    expect(await state()).toBe('failed')
    expect(await idOf(await post(BODY, { 'webhook-id': 'msg-1' }))).toBe(id)
    expect(await state()).toBe('waiting')
  })

  test('is accepted where somebody else retries the first at the same moment', async () => {
    const data = { is: 'again', delivery: 'd', why: 'duplicate' } as const
    const added: unknown[] = []
    const { post } = await serve({
      deliveries: {
        async add(job) {
          added.push(job.data)
          return { id: job.id ?? 'again', added: job.id === undefined }
        },
        get: async (id) => ({ id, data, state: 'failed', attempts: 1, addedAt: 0 }),
      },
    })
    expect((await post(BODY, { 'webhook-id': 'msg-1' })).status).toBe(202)
    expect(added.at(-1)).toMatchObject({ is: 'again' })
  })
})

async function expectUnavailable(response: Response): Promise<void> {
  expect(response.status).toBe(503)
  expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await response.text()).not.toContain('inner')
}

describe('a delivery is refused', () => {
  const capacityIn = (is: 'available' | 'full', reported: string[] = []) => ({
    condition: () => ({ is, reason: 'inner words' }),
    accepted: (bytes: number) => void reported.push(`accepted: ${bytes} bytes`),
    refused: (error?: Error) => void reported.push(`refused: ${error?.message}`),
  })

  test('with 503 while the queue is unavailable; capacity hears of refused and accepted deliveries', async () => {
    const reported: string[] = []
    let isAway = true
    const { post, queues } = await serve({
      capacity: capacityIn('available', reported),
      deliveries: {
        add: (job) => (isAway ? Promise.reject(new QueueUnavailable('redis://inner')) : queues.deliveries.add(job)),
      },
    })
    await expectUnavailable(await post(BODY))
    isAway = false
    await post(BODY)
    expect(reported).toEqual(['refused: redis://inner', `accepted: ${Buffer.byteLength(BODY)} bytes`])
  })

  test('with 503 without capacity, its body unread; an unauthenticated sender still gets 401', async () => {
    const key = signingKey()
    const own = projectSecrets([MASTER_KEY], 7)
    const reported: string[] = []
    const { url, post, jobs } = await serve({
      capacity: capacityIn('full', reported),
      secrets: { tokens: [TOKEN], signing: [key] },
      masterKeys: [MASTER_KEY],
    })
    await expectUnavailable(await post(BODY))
    const send = async (path: string, headers: Record<string, string>) =>
      (await fetch(`${url}${path}`, { method: 'POST', body: BODY, headers })).status
    expect([
      await send('', signed(key)),
      await send('/7', signed(own.signing[0] ?? '')),
      await send('/7', { 'x-gitlab-token': own.tokens[0] ?? '' }),
      await send('', {}),
      await send('', signed(key, BODY, { seconds: -3_600 })),
    ]).toEqual([503, 503, 503, 401, 401])
    expect(reported).toHaveLength(4)
    expect(await jobs()).toEqual([])
  })

  test('with 500 after an error of our own, which is not shown; the next is accepted', async () => {
    let isBroken = true
    const condition = () => {
      if (isBroken) throw new Error('inner words')
      return { is: 'available' as const }
    }
    const { post } = await serve({ capacity: { ...capacityIn('available'), condition } })
    const response = await post(BODY)
    const error = 'Something went wrong; the log has the details.'
    expect([response.status, await response.json()]).toEqual([500, { error }])
    isBroken = false
    await idOf(await post(BODY))
  })
})
