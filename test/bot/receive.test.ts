// Receive over real HTTP into a real queue: what is answered, and what is then in line.
import { once } from 'node:events'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { projectSecrets } from '../../src/bot/project-secrets.ts'
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

describe('when there is no room', () => {
  test('a delivery is turned down with 503 and Retry-After, its body unread; a stranger hears nothing of it', async () => {
    const lanes = lanesOf(stores)
    const told: unknown[] = []
    const room = {
      condition: () => ({ is: 'full' as const, reason: 'inner words' }),
      kept: () => undefined,
      turnedDown: () => told.push(1),
    }
    const { url, post } = await serveHooks({ lanes, room })
    const response = await post(BODY)
    expect(response.status).toBe(503)
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await response.text()).not.toContain('inner words')
    expect((await fetch(url, { method: 'POST', body: BODY })).status).toBe(401)
    expect(told).toHaveLength(1)
    expect(await waiting(lanes)).toEqual([])
  })

  test('it is told which deliveries the queue keeps, and which it does not', async () => {
    const { deliveries, service } = lanesOf(stores)
    const told: string[] = []
    let isAway = true
    const add: typeof deliveries.add = (job) => (isAway ? Promise.reject(new QueueUnavailable('away')) : deliveries.add(job))
    const room = {
      condition: () => ({ is: 'free' as const }),
      kept: () => told.push('kept'),
      turnedDown: (error?: Error) => told.push(`turned down: ${error?.message}`),
    }
    const { post } = await serveHooks({ lanes: { service, deliveries: { ...deliveries, add } }, room })
    await post(BODY)
    isAway = false
    await post(BODY)
    expect(told).toEqual(['turned down: away', 'kept'])
  })
})

describe('strangers who claim to sign', () => {
  const masterKey = 'a-master-key-of-thirty-two-characters'
  const key = signingKey()
  const secondsNow = () => Math.floor(Date.now() / 1000)

  /** Sends a head that could be a signed delivery's, and so many bytes of its body; `answer` is the status, when there is one. */
  async function stall(url: string, declared: number, sent: number) {
    const headers = { ...signedBy(signingKey(), { id: 'x', timestamp: secondsNow(), body: '' }), 'content-length': String(declared) }
    const sending = request(url, { method: 'POST', headers })
    const answer = new Promise<number | undefined>((settle) => {
      sending.once('response', (response) => settle(response.resume().statusCode)).once('error', () => settle(undefined))
    })
    await new Promise<void>((settle) => sending.write(Buffer.alloc(sent), () => settle()))
    return { answer, end: () => sending.destroy() }
  }

  test.each([
    ['the shared address', '', key],
    ['a project’s address', '/7', projectSecrets([masterKey], 7).signing[0] ?? ''],
  ])('keep nobody out of %s by declaring or sending much and then nothing more', async (_name, path, right) => {
    const lanes = lanesOf(stores)
    const served = await serveHooks({ lanes, secrets: { tokens: [TOKEN], signing: [key] }, masterKeys: [masterKey] })
    const url = `${served.url}${path}`
    const stalled = await Promise.all([25, 25, 25, 14].map((size) => stall(url, size * MB, 1)))
    const flooding = await Promise.all([24, 24].map((size) => stall(url, 25 * MB, size * MB)))
    const token = path === '' ? TOKEN : (projectSecrets([masterKey], 7).tokens[0] ?? '')
    expect((await fetch(url, { method: 'POST', body: BODY, headers: { 'x-gitlab-token': token } })).status).toBe(202)
    const body = ' '.repeat(MB)
    const headers = signedBy(right, { id: 'real', timestamp: secondsNow(), body })
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(202)
    // Whoever came first had to go: what they all sent is more than the room.
    expect([503, undefined]).toContain(await stalled[0]?.answer)
    for (const { end } of [...stalled, ...flooding]) end()
  })

  test('are refused at once where no body can make their signature right', async () => {
    const { url } = await serveHooks({ lanes: lanesOf(stores), secrets: { tokens: [], signing: [key] } })
    const right = signedBy(key, { id: 'x', timestamp: secondsNow(), body: '' })
    const wrong = [{ 'webhook-signature': 'v1,AAAA' }, { 'webhook-timestamp': String(secondsNow() - 400) }, { 'webhook-id': '' }]
    for (const change of wrong) {
      const sending = request(url, { method: 'POST', headers: { ...right, ...change, 'content-length': '1000' } })
      const answered = once(sending, 'response')
      sending.flushHeaders()
      const [{ statusCode }] = await answered
      sending.destroy()
      expect(statusCode).toBe(401)
    }
  })
})

describe('bodies that cannot be read are recorded, for an error would make the sender disable the hook', () => {
  const unreadable = (reason: RegExp) => ({ is: 'delivery', body: '', unreadable: expect.stringMatching(reason) })

  test('one over 25 MB is passed over, one of 25 MB is kept', async () => {
    const lanes = lanesOf(stores)
    const { post } = await serveHooks({ lanes })
    await idOf(await post(' '.repeat(25 * MB + 1)))
    expect(await waiting(lanes)).toMatchObject([unreadable(/larger than 25 MB/)])
    const id = await idOf(await post(' '.repeat(25 * MB)))
    expect((await lanes.deliveries.get(id))?.data).toMatchObject({ body: ' '.repeat(25 * MB) })
  })

  test('a signed one over 25 MB gets 413: nobody can tell whose it is', async () => {
    const lanes = lanesOf(stores)
    const key = signingKey()
    const { post } = await serveHooks({ lanes, secrets: { tokens: [TOKEN], signing: [key] } })
    const body = ' '.repeat(25 * MB + 1)
    const response = await post(body, signedBy(key, { id: 'm', timestamp: Math.floor(Date.now() / 1000), body }))
    expect([response.status, await response.json()]).toEqual([413, { error: expect.stringContaining('25 MB') }])
    expect(await waiting(lanes)).toEqual([])
  })

  test('one without an end is cut off, and the delivery is recorded', async () => {
    const lanes = lanesOf(stores)
    const { url } = await serveHooks({ lanes })
    await new Promise<void>((settle) => {
      const sending = request(url, { method: 'POST', headers: { 'x-gitlab-token': TOKEN } })
      // Whether the answer comes before the end of the connection is the network's luck.
      sending.once('response', () => sending.destroy()).on('error', () => undefined)
      sending.once('close', settle)
      const chunk = Buffer.alloc(MB, ' ')
      const more = () => {
        while (!sending.destroyed && sending.write(chunk));
      }
      sending.on('drain', more)
      more()
    })
    expect(await waiting(lanes)).toMatchObject([unreadable(/larger than 25 MB/)])
  })

  test('a packed one is unpacked, a bomb is not', async () => {
    const lanes = lanesOf(stores)
    const { post } = await serveHooks({ lanes })
    const gzip = { 'content-encoding': 'gzip' }
    await idOf(await post(new Uint8Array(gzipSync(Buffer.alloc(200 * MB))), gzip))
    await idOf(await post(new Uint8Array(gzipSync(BODY)), gzip))
    expect(await waiting(lanes)).toMatchObject([unreadable(/unpacks to more than 25 MB/), { body: BODY }])
  })

  test('one in a packing that is not known, or broken', async () => {
    const lanes = lanesOf(stores)
    const { post } = await serveHooks({ lanes })
    await idOf(await post(BODY, { 'content-encoding': 'rot13' }))
    await idOf(await post(`${BODY} `, { 'content-encoding': 'gzip' }))
    expect(await waiting(lanes)).toMatchObject([unreadable(/Content-Encoding is not one of/), unreadable(/not packed as/)])
  })

  test('of one that breaks off nothing is left, and the next is taken', async () => {
    const lanes = lanesOf(stores)
    const { url, post } = await serveHooks({ lanes })
    const sending = request(url, { method: 'POST', headers: { 'content-length': '1000', 'x-gitlab-token': TOKEN } })
    const broken = once(sending, 'error')
    sending.write('{')
    sending.once('socket', (socket) => socket.once('connect', () => setImmediate(() => sending.destroy(new Error('gone')))))
    await broken
    await idOf(await post(BODY))
    expect(await waiting(lanes)).toMatchObject([{ body: BODY }])
  })
})

describe('a hook of one project', () => {
  const masterKeys = ['new-master-key-of-thirty-two-chars!', 'old-master-key-of-thirty-two-chars!']
  const secretOf = (project: number, key = masterKeys[0] ?? '') => projectSecrets([key], project)
  const token = (project: number, key?: string) => ({ 'x-gitlab-token': secretOf(project, key).tokens[0] ?? '' })
  const serve = async (masterKeysNow = masterKeys, secrets = { tokens: [TOKEN], signing: [] as string[] }) => {
    const lanes = lanesOf(stores)
    const { url } = await serveHooks({ lanes, masterKeys: masterKeysNow, secrets })
    const send = (path: string, headers: Record<string, string>, body = BODY) =>
      fetch(`${url}${path}`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
    return { lanes, send }
  }

  test('is let in with the secret of that project, which is noted with the delivery', async () => {
    const { lanes, send } = await serve()
    await idOf(await send('/7', token(7)))
    expect(await waiting(lanes)).toMatchObject([{ boundTo: 7 }])
  })

  test('is not let in with the secret of another, a shared one, the master key, or none', async () => {
    const { lanes, send } = await serve()
    const wrong = [token(8), { 'x-gitlab-token': TOKEN }, { 'x-gitlab-token': masterKeys[0] ?? '' }, {}]
    for (const headers of wrong) expect((await send('/7', headers)).status).toBe(401)
    expect((await send('', token(7))).status).toBe(401)
    expect(await waiting(lanes)).toEqual([])
  })

  test('may be signed; then the signature counts, and a token does not replace it', async () => {
    const { send } = await serve()
    const [key = ''] = secretOf(7).signing
    const headers = signedBy(key, { id: 'm', timestamp: Math.floor(Date.now() / 1000), body: BODY })
    expect((await send('/7', headers)).status).toBe(202)
    expect((await send('/8', headers)).status).toBe(401)
    expect((await send('/7', { ...token(7), ...headers }, `${BODY} `)).status).toBe(401)
  })

  test('two master keys are valid while they are changed, a third is not', async () => {
    const { send } = await serve()
    expect((await send('/7', token(7, masterKeys[1]))).status).toBe(202)
    expect((await send('/7', token(7, 'some-master-key-of-thirty-two-chars'))).status).toBe(401)
  })

  test('lets nobody in where there is no master key; a master key alone opens no shared address', async () => {
    const without = await serve([])
    for (const headers of [token(7), { 'x-gitlab-token': TOKEN }]) expect((await without.send('/7', headers)).status).toBe(401)
    const alone = await serve(masterKeys, { tokens: [], signing: [] })
    for (const headers of [token(7), {}, { 'x-gitlab-token': '' }]) expect((await alone.send('', headers)).status).toBe(401)
  })

  test('has an address that names a project by its number, in one spelling', async () => {
    const { send } = await serve()
    for (const path of ['/0', '/07', '/-7', '/7.0', '/7e0', '/app', '/7/x', `/${'9'.repeat(30)}`])
      expect((await send(path, token(7))).status, path).toBe(404)
  })

  test('cannot take the id of another’s delivery', async () => {
    const { lanes, send } = await serve()
    const id = { 'webhook-id': 'msg-1' }
    const ids = [
      await idOf(await send('/7', { ...token(7), ...id })),
      await idOf(await send('/8', { ...token(8), ...id })),
      await idOf(await send('', { 'x-gitlab-token': TOKEN, ...id })),
    ]
    expect(new Set(ids).size).toBe(3)
    expect((await waiting(lanes)).map(({ is }) => is)).toEqual(['delivery', 'delivery', 'delivery'])
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
