// Receive over real HTTP into a real queue: bodies that are too large, packed, broken or cut off.
import { once } from 'node:events'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { hookSignature } from '../../../src/api/hook-signature.ts'
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
import { BODY, MB, waiting } from './receive-world.ts'

const stores = useStores()
closeServersAtTheEnd()

describe('bodies that cannot be read are recorded, for an error would make the sender disable the hook', () => {
  const unreadable = (reason: RegExp) => ({ is: 'delivery', body: '', unreadable: expect.stringMatching(reason) })

  test('one over 25 MB is passed over, one of 25 MB is kept', async () => {
    const queues = testQueues(stores)
    const { post } = await serveHooks({ queues })
    await idOf(await post(' '.repeat(25 * MB + 1)))
    expect(await waiting(queues)).toMatchObject([unreadable(/larger than 25 MB/)])
    const id = await idOf(await post(' '.repeat(25 * MB)))
    expect((await queues.deliveries.get(id))?.data).toMatchObject({ body: ' '.repeat(25 * MB) })
  })

  test('a signed one over 25 MB gets 413: nobody can tell whose it is', async () => {
    const queues = testQueues(stores)
    const key = signingKey()
    const { post } = await serveHooks({ queues, secrets: { tokens: [TOKEN], signing: [key] } })
    const body = ' '.repeat(25 * MB + 1)
    const response = await post(body, signedBy(key, { id: 'm', timestamp: Math.floor(Date.now() / 1000), body }))
    expect([response.status, await response.json()]).toEqual([413, { error: expect.stringContaining('25 MB') }])
    expect(await waiting(queues)).toEqual([])
  })

  test('one without an end is cut off, and the delivery is recorded', async () => {
    const queues = testQueues(stores)
    const { url } = await serveHooks({ queues })
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
    expect(await waiting(queues)).toMatchObject([unreadable(/larger than 25 MB/)])
  })

  test('a packed one is unpacked, a bomb is not', async () => {
    const queues = testQueues(stores)
    const { post } = await serveHooks({ queues })
    const gzip = { 'content-encoding': 'gzip' }
    await idOf(await post(new Uint8Array(gzipSync(Buffer.alloc(200 * MB))), gzip))
    await idOf(await post(new Uint8Array(gzipSync(BODY)), gzip))
    expect(await waiting(queues)).toMatchObject([unreadable(/unpacks to more than 25 MB/), { body: BODY }])
  })

  test('one in a packing that is not known, or broken', async () => {
    const queues = testQueues(stores)
    const { post } = await serveHooks({ queues })
    await idOf(await post(BODY, { 'content-encoding': 'rot13' }))
    await idOf(await post(`${BODY} `, { 'content-encoding': 'gzip' }))
    expect(await waiting(queues)).toMatchObject([
      unreadable(/Content-Encoding is not one of/),
      unreadable(/not packed as/),
    ])
  })

  test('of one that breaks off nothing is left, and the next is taken', async () => {
    const queues = testQueues(stores)
    const { url, post } = await serveHooks({ queues })
    const sending = request(url, { method: 'POST', headers: { 'content-length': '1000', 'x-gitlab-token': TOKEN } })
    const broken = once(sending, 'error')
    sending.write('{')
    sending.once('socket', (socket) =>
      socket.once('connect', () => setImmediate(() => sending.destroy(new Error('gone')))),
    )
    await broken
    await idOf(await post(BODY))
    expect(await waiting(queues)).toMatchObject([{ body: BODY }])
  })
})

test('a signed compressed body takes the capacity of what it may decompress to', async () => {
  const queues = testQueues(stores)
  const key = signingKey()
  const { url, post } = await serveHooks({ queues, secrets: { tokens: [TOKEN], signing: [key] } })
  // Two bodies that have begun leave less than 25 MB of capacity.
  const begun = await Promise.all(
    [1, 2].map(async () => {
      const headers = { 'x-gitlab-token': TOKEN, 'content-length': String(25 * MB), expect: '100-continue' }
      const sending = request(url, { method: 'POST', headers }).on('error', () => undefined)
      sending.flushHeaders()
      await once(sending, 'continue')
      return sending
    }),
  )
  const signed = (id: string, body: Buffer<ArrayBuffer>) => {
    const timestamp = String(Math.floor(Date.now() / 1000))
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': hookSignature(key, { id, timestamp, body }),
    }
    return { body: new Uint8Array(body), headers: { ...headers, 'x-gitlab-token': '' } }
  }
  const plain = signed('plain', Buffer.from(BODY))
  expect((await post(plain.body, plain.headers)).status).toBe(202)
  const compressed = signed('compressed', gzipSync(BODY))
  expect((await post(compressed.body, { ...compressed.headers, 'content-encoding': 'gzip' })).status).toBe(503)
  for (const sending of begun) sending.destroy()
})
