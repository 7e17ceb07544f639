// Receive over real HTTP into a real queue: what is answered, and what is then in line.
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { DeliveryJob } from '../../src/bot/receive.ts'
import { QueueUnavailable } from '../../src/queue/errors.ts'
import type { Lane, NewJob } from '../../src/queue/types.ts'
import { closeServersAtTheEnd, idOf, type Lanes, lanesOf, serveHooks, signedBy, signingKey, TOKEN, useStores } from './stores.ts'

const stores = useStores()
closeServersAtTheEnd()

const BODY = '{"object_kind":"push"}'
const MB = 1024 * 1024

/** What waits in the deliveries lane, oldest first. */
async function waiting({ deliveries }: Lanes): Promise<DeliveryJob[]> {
  const jobs = await deliveries.list(['waiting', 'prioritized', 'delayed', 'active', 'failed', 'completed'], 0, 100)
  return jobs.reverse().map(({ data }) => data)
}

describe('who is let in', () => {
  test('a wrong and a missing token get the same 401 and leave no job', async () => {
    const lanes = lanesOf(stores)
    const { url, post } = await serveHooks({ lanes })
    const wrong = await post(BODY, { 'x-gitlab-token': 'wrong' })
    const missing = await fetch(url, { method: 'POST', body: BODY })
    expect([wrong.status, missing.status]).toEqual([401, 401])
    const said = await wrong.text()
    expect(await missing.text()).toBe(said)
    expect(said).not.toContain(TOKEN)
    expect(await waiting(lanes)).toEqual([])
  })

  test('a signature must be right when it is there, a token cannot replace it', async () => {
    const lanes = lanesOf(stores)
    const key = signingKey()
    const { post } = await serveHooks({ lanes, secrets: { tokens: [TOKEN], signing: [key] } })
    const headers = signedBy(key, { id: 'm-1', timestamp: Math.floor(Date.now() / 1000), body: BODY })
    expect((await post(`${BODY} `, headers)).status).toBe(401)
    expect(await waiting(lanes)).toEqual([])
    expect((await post(BODY, headers)).status).toBe(202)
  })

  test('a signature covers the bytes as they were sent, also those that are not UTF-8', async () => {
    const lanes = lanesOf(stores)
    const key = signingKey()
    const { post } = await serveHooks({ lanes, secrets: { tokens: [], signing: [key] } })
    const headers = signedBy(key, { id: 'm-2', timestamp: Math.floor(Date.now() / 1000), body: '{"a":"\ufffd"}' })
    const sent = Buffer.from('{"a":"x"}')
    sent[6] = 0xff
    expect((await post(new Uint8Array(sent), headers)).status).toBe(401)
  })

  test('a stranger is refused before the body is read', async () => {
    const { url } = await serveHooks({ lanes: lanesOf(stores) })
    const status = await new Promise<number | undefined>((settle, reject) => {
      const sending = request(
        url,
        { method: 'POST', headers: { 'content-length': String(20 * MB), 'x-gitlab-token': 'wrong' } },
        (response) => {
          settle(response.statusCode)
          sending.destroy()
        },
      )
      sending.once('error', reject)
      // The head of the request alone: its body never comes.
      sending.flushHeaders()
    })
    expect(status).toBe(401)
  })

  test('unicode and very long tokens are refused without a crash', async () => {
    const { post } = await serveHooks({ lanes: lanesOf(stores) })
    expect((await post(BODY, { 'x-gitlab-token': 'é'.repeat(1000) })).status).toBe(401)
    expect([401, 431]).toContain((await post(BODY, { 'x-gitlab-token': 'x'.repeat(15_000) })).status)
  })

  test('reading /hooks is not a delivery', async () => {
    const { url } = await serveHooks({ lanes: lanesOf(stores) })
    expect((await fetch(url, { headers: { 'x-gitlab-token': TOKEN } })).status).toBe(404)
  })
})

describe('what is taken', () => {
  test('the delivery is in line as it came, without the secret', async () => {
    const lanes = lanesOf(stores)
    const { post } = await serveHooks({ lanes })
    const id = await idOf(await post(BODY, { 'x-gitlab-event': 'Push Hook' }))
    const job = await lanes.deliveries.get(id)
    expect(job?.data).toMatchObject({ is: 'delivery', service: lanes.service, header: 'Push Hook', body: BODY })
    expect(JSON.stringify(job)).not.toContain(TOKEN)
  })

  test('a delivery is in the queue before it is answered 202', async () => {
    const order: string[] = []
    const { deliveries, service } = lanesOf(stores)
    const slow: Lane<DeliveryJob> = {
      ...deliveries,
      async add(job) {
        // An answer that did not wait for the queue would be there before these.
        for (let round = 0; round < 3; round += 1) await (await fetch(url)).text()
        order.push('in the queue')
        return deliveries.add(job)
      },
    }
    const { url, post } = await serveHooks({ lanes: { service, deliveries: slow } })
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
    const lanes = lanesOf(stores)
    const { post } = await serveHooks({ lanes })
    const id = await idOf(await post(body, { 'content-type': type }))
    expect((await lanes.deliveries.get(id))?.data).toMatchObject({ body })
  })

  test('the queue being away gives 503 with Retry-After', async () => {
    const { deliveries, service } = lanesOf(stores)
    const away: Lane<DeliveryJob> = { ...deliveries, add: () => Promise.reject(new QueueUnavailable('redis://inner:6379 is away')) }
    const { post } = await serveHooks({ lanes: { service, deliveries: away } })
    const response = await post(BODY)
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.text()).not.toContain('inner')
  })
})

describe('the size', () => {
  test('a body over 25 MB gets 413 and leaves no job, one of 25 MB is taken', async () => {
    const lanes = lanesOf(stores)
    const { post } = await serveHooks({ lanes })
    const response = await post(' '.repeat(25 * MB + 1))
    expect(response.status).toBe(413)
    expect(await response.json()).toEqual({ error: expect.stringContaining('25 MB') })
    expect(await waiting(lanes)).toEqual([])
    expect((await post(' '.repeat(25 * MB))).status).toBe(202)
  })

  test('a packed body is unpacked, and one that unpacks to more than 25 MB gets 413', async () => {
    const lanes = lanesOf(stores)
    const { post } = await serveHooks({ lanes })
    const gzip = { 'content-encoding': 'gzip' }
    const bomb = await post(new Uint8Array(gzipSync(Buffer.alloc(200 * MB))), gzip)
    expect(bomb.status).toBe(413)
    expect(await waiting(lanes)).toEqual([])
    await idOf(await post(new Uint8Array(gzipSync(BODY)), gzip))
    expect(await waiting(lanes)).toMatchObject([{ body: BODY }])
  })

  test('a body in a packing that is not known, or broken, gets a 4xx and leaves no job', async () => {
    const lanes = lanesOf(stores)
    const { post } = await serveHooks({ lanes })
    expect((await post(BODY, { 'content-encoding': 'rot13' })).status).toBe(415)
    expect((await post(BODY, { 'content-encoding': 'gzip' })).status).toBe(400)
    expect(await waiting(lanes)).toEqual([])
  })
})

describe('the same delivery twice', () => {
  test('the sender’s id makes it one, and the second wakes its merge requests', async () => {
    const lanes = lanesOf(stores)
    const { post } = await serveHooks({ lanes })
    const first = await idOf(await post(BODY, { 'webhook-id': 'msg-1' }))
    const second = await idOf(await post(BODY, { 'idempotency-key': 'msg-1' }))
    expect(second).toBe(first)
    expect(await waiting(lanes)).toMatchObject([{ is: 'delivery' }, { is: 'again', delivery: first, why: 'doubled' }])
  })

  test('two different ids are two deliveries, though the body is the same', async () => {
    const lanes = lanesOf(stores)
    const { post } = await serveHooks({ lanes })
    await post(BODY, { 'webhook-id': 'msg-1' })
    await post(BODY, { 'webhook-id': 'msg-2' })
    expect(await waiting(lanes)).toMatchObject([{ is: 'delivery' }, { is: 'delivery' }])
  })

  test('the same body within ten minutes is one delivery, also across the window’s edge', async () => {
    const lanes = lanesOf(stores)
    const tenMinutes = 10 * 60_000
    const edge = Math.ceil((Date.now() + 1) / tenMinutes) * tenMinutes
    let now = edge - 1
    const { post } = await serveHooks({ lanes, now: () => now })
    const first = await idOf(await post(BODY))
    now = edge
    expect(await idOf(await post(BODY))).toBe(first)
    // By then the first is older than ten minutes.
    now = edge + tenMinutes
    expect(await idOf(await post(BODY))).not.toBe(first)
    expect((await waiting(lanes)).map(({ is }) => is)).toEqual(['delivery', 'again', 'delivery'])
  })

  test('many at the same moment are one delivery', async () => {
    const lanes = lanesOf(stores)
    const { post } = await serveHooks({ lanes })
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(BODY, { 'webhook-id': 'msg-1' })))
    expect(new Set(await Promise.all(answers.map(idOf))).size).toBe(1)
    expect((await waiting(lanes)).filter(({ is }) => is === 'delivery')).toHaveLength(1)
  })

  test('a delivery that failed is not "seen": the second puts it back in line', async () => {
    const lanes = lanesOf(stores)
    const { post } = await serveHooks({ lanes })
    const id = await idOf(await post(BODY, { 'webhook-id': 'msg-1' }))
    const worker = stores.queue.work(lanes.deliveries.name, async () => ({ outcome: 'failed', reason: 'broken' }), {
      concurrency: 1,
      onError: () => undefined,
    })
    await lanes.deliveries.settled()
    await worker.stop(1_000)
    expect((await lanes.deliveries.get(id))?.state).toBe('failed')
    expect(await idOf(await post(BODY, { 'webhook-id': 'msg-1' }))).toBe(id)
    expect((await lanes.deliveries.get(id))?.state).toBe('waiting')
  })

  test('one that is put back in line by two at once is still accepted', async () => {
    const { deliveries, service } = lanesOf(stores)
    const added: NewJob<DeliveryJob>[] = []
    const racing: Lane<DeliveryJob> = {
      ...deliveries,
      add: async (job) => {
        added.push(job)
        return { id: job.id ?? 'again', added: job.id === undefined }
      },
      get: async (id) => ({ id, data: { is: 'again', delivery: id, why: 'doubled' }, state: 'failed', attempts: 1, addedAt: 0 }),
      // As the other one has done it already.
      retry: (id) => deliveries.retry(id),
    }
    const { post } = await serveHooks({ lanes: { service, deliveries: racing } })
    expect((await post(BODY, { 'webhook-id': 'msg-1' })).status).toBe(202)
    expect(added.at(-1)?.data).toMatchObject({ is: 'again' })
  })
})
