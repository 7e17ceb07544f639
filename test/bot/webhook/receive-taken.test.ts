// Receive over real HTTP into a real queue: what is taken, and what is answered where the queue is away or there is no capacity.
import { describe, expect, test } from 'vitest'
import type { DeliveryJob } from '../../../src/bot/intake/delivery-job.ts'
import { projectSecrets } from '../../../src/bot/webhook/project-secrets.ts'
import { QueueUnavailable } from '../../../src/queue/errors.ts'
import type { JobQueue } from '../../../src/queue/types.ts'
import {
  closeServersAtTheEnd,
  idOf,
  serveHooks,
  signedBy,
  signingKey,
  TOKEN,
  testQueues,
  useStores,
} from '../stores.ts'
import { BODY, waiting } from './receive-world.ts'

const stores = useStores()
closeServersAtTheEnd()

describe('what is taken', () => {
  test('the delivery is in line as it came, without the secret', async () => {
    const queues = testQueues(stores)
    const { post } = await serveHooks({ queues })
    const id = await idOf(await post(BODY, { 'x-gitlab-event': 'Push Hook' }))
    const job = await queues.deliveries.get(id)
    expect(job?.data).toMatchObject({ is: 'delivery', service: queues.service, header: 'Push Hook', body: BODY })
    expect(JSON.stringify(job)).not.toContain(TOKEN)
  })

  test('a delivery is in the queue before it is answered 202', async () => {
    const order: string[] = []
    const { deliveries, service } = testQueues(stores)
    const slow: JobQueue<DeliveryJob> = {
      ...deliveries,
      async add(job) {
        // An answer that did not wait for the queue would be there before these.
        for (let round = 0; round < 3; round += 1) await (await fetch(url)).text()
        order.push('in the queue')
        return deliveries.add(job)
      },
    }
    const { url, post } = await serveHooks({ queues: { service, deliveries: slow } })
    const id = await idOf(await post(BODY))
    order.push('answered')
    expect(order).toEqual(['in the queue', 'answered'])
    expect(await deliveries.get(id)).toBeDefined()
  })

  test.each([
    ['not JSON', 'nonsense', 'text/plain'],
    ['an empty body', '', 'application/json'],
    ['null', 'null', 'application/json'],
    ['a form', 'a=b', 'application/x-www-form-urlencoded'],
    ['NUL characters and half characters', '{"a":"\\u0000\\ud800\0"}', 'application/json'],
  ])('%s is taken: a delivery is not judged here', async (_name, body, type) => {
    const queues = testQueues(stores)
    const { post } = await serveHooks({ queues })
    const id = await idOf(await post(body, { 'content-type': type }))
    expect((await queues.deliveries.get(id))?.data).toMatchObject({ body })
  })

  test('the queue being away gives 503 with Retry-After', async () => {
    const { deliveries, service } = testQueues(stores)
    const away: JobQueue<DeliveryJob> = {
      ...deliveries,
      add: () => Promise.reject(new QueueUnavailable('redis://inner:6379 is away')),
    }
    const { post } = await serveHooks({ queues: { service, deliveries: away } })
    const response = await post(BODY)
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.text()).not.toContain('inner')
  })
})

test('a fault of our own is answered 500 without its words, and the next delivery is taken', async () => {
  const queues = testQueues(stores)
  let isBroken = true
  const condition = () => {
    if (isBroken) throw new Error('inner words')
    return { is: 'available' as const }
  }
  const { post } = await serveHooks({
    queues,
    capacity: { condition, accepted: () => undefined, refused: () => undefined },
  })
  const response = await post(BODY)
  expect([response.status, await response.json()]).toEqual([
    500,
    { error: 'Something went wrong; the log has the details.' },
  ])
  isBroken = false
  expect(await queues.deliveries.get(await idOf(await post(BODY)))).toBeDefined()
})

describe('when there is no capacity', () => {
  test('a delivery is refused with 503 and Retry-After, its body unread; a stranger hears nothing of it', async () => {
    const queues = testQueues(stores)
    const told: unknown[] = []
    const capacity = {
      condition: () => ({ is: 'full' as const, reason: 'inner words' }),
      accepted: () => undefined,
      refused: () => told.push(1),
    }
    const { url, post } = await serveHooks({ queues, capacity })
    const response = await post(BODY)
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.text()).not.toContain('inner words')
    expect((await fetch(url, { method: 'POST', body: BODY })).status).toBe(401)
    expect(told).toHaveLength(1)
    expect(await waiting(queues)).toEqual([])
  })

  test('a signed delivery is refused as well, with 503; one whose signature cannot be right hears nothing of it', async () => {
    const queues = testQueues(stores)
    const key = signingKey()
    const masterKey = 'a-master-key-of-thirty-two-characters'
    const capacity = { condition: () => ({ is: 'full' as const }), accepted: () => undefined, refused: () => undefined }
    const { url } = await serveHooks({
      queues,
      capacity,
      secrets: { tokens: [], signing: [key] },
      masterKeys: [masterKey],
    })
    const send = async (to: string, headers: Record<string, string>) =>
      (await fetch(to, { method: 'POST', body: BODY, headers: { 'content-type': 'application/json', ...headers } }))
        .status
    const timestamp = Math.floor(Date.now() / 1000)
    const own = projectSecrets([masterKey], 7)
    expect([
      await send(url, signedBy(key, { id: 'm-1', timestamp, body: BODY })),
      await send(`${url}/7`, signedBy(own.signing[0] ?? '', { id: 'm-2', timestamp, body: BODY })),
      await send(`${url}/7`, { 'x-gitlab-token': own.tokens[0] ?? '' }),
      await send(url, signedBy(key, { id: 'm-3', timestamp: timestamp - 3_600, body: BODY })),
    ]).toEqual([503, 503, 503, 401])
    expect(await waiting(queues)).toEqual([])
  })

  test('it is told which deliveries the queue keeps, and which it does not', async () => {
    const { deliveries, service } = testQueues(stores)
    const told: string[] = []
    let isAway = true
    const add: typeof deliveries.add = (job) =>
      isAway ? Promise.reject(new QueueUnavailable('away')) : deliveries.add(job)
    const capacity = {
      condition: () => ({ is: 'available' as const }),
      accepted: () => told.push('accepted'),
      refused: (error?: Error) => told.push(`refused: ${error?.message}`),
    }
    const { post } = await serveHooks({ queues: { service, deliveries: { ...deliveries, add } }, capacity })
    await post(BODY)
    isAway = false
    await post(BODY)
    expect(told).toEqual(['refused: away', 'accepted'])
  })
})
