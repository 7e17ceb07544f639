// Receive over real HTTP into a real queue: bodies that are too large, packed, broken or cut off.
import { once } from 'node:events'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { BODY, MB, waiting } from './receive-world.ts'
import { closeServersAtTheEnd, idOf, lanesOf, serveHooks, signedBy, signingKey, TOKEN, useStores } from './stores.ts'

const stores = useStores()
closeServersAtTheEnd()

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
