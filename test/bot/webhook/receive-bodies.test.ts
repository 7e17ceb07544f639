// Bodies that are too large, compressed, broken or cut off, and unfinished bodies that keep nobody out.
import { once } from 'node:events'
import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { projectSecrets } from '../../../src/bot/webhook/hook-secrets.ts'
import { idOf, signingKey, TOKEN } from '../stores.ts'
import { BODY, MASTER_KEY, MB, signed, useReceivers } from './receive-world.ts'

const { serve } = useReceivers()

/** Sends so many bytes of a body that declares more, and then nothing. */
async function stall(url: string, headers: Record<string, string>, declared: number, sent: number) {
  const sending = request(url, { method: 'POST', headers: { ...headers, 'content-length': String(declared) } })
  const status = new Promise<number | undefined>((settle) => {
    sending.once('response', (response) => settle(response.resume().statusCode)).once('error', () => settle(undefined))
  })
  await new Promise<void>((settle) => sending.write(Buffer.alloc(sent), () => settle()))
  return { status, end: () => sending.destroy() }
}

describe('an authenticated body', () => {
  const unreadable = (reason: RegExp) => ({ is: 'delivery', body: '', unreadable: expect.stringMatching(reason) })

  test('of 25 MB is stored; a larger one is recorded without its text', async () => {
    const { post, queues, jobs } = await serve()
    await idOf(await post(' '.repeat(25 * MB + 1)))
    expect(await jobs()).toMatchObject([unreadable(/larger than 25 MB/)])
    const id = await idOf(await post(' '.repeat(25 * MB)))
    expect((await queues.deliveries.get(id))?.data).toMatchObject({ body: ' '.repeat(25 * MB) })
  })

  test('is decompressed; one that cannot be is recorded', async () => {
    const { post, jobs } = await serve()
    const gzip = { 'content-encoding': 'gzip' }
    await idOf(await post(new Uint8Array(gzipSync(Buffer.alloc(200 * MB))), gzip))
    await idOf(await post(new Uint8Array(gzipSync(BODY)), gzip))
    await idOf(await post(BODY, { 'content-encoding': 'rot13' }))
    await idOf(await post(`${BODY} `, gzip))
    expect(await jobs()).toMatchObject([
      unreadable(/unpacks to more than 25 MB/),
      { body: BODY },
      unreadable(/Content-Encoding is not one of/),
      unreadable(/not packed as/),
    ])
  })

  test('that is compressed needs the memory of what it may decompress to', async () => {
    let arrived = 0
    let accept = () => {}
    const accepting = new Promise<void>((resolve) => {
      accept = resolve
    })
    const { post } = await serve({
      deliveries: {
        async add({ id = '' }) {
          arrived += 1
          await accepting
          return { id, added: true }
        },
      },
    })
    const send = (n: number) => post(new Uint8Array(gzipSync(`${n}`)), { 'content-encoding': 'gzip' })
    const statuses = async (...sent: Promise<Response>[]) => (await Promise.all(sent)).map(({ status }) => status)
    const first = statuses(send(1), send(2))
    await expect.poll(() => arrived).toBe(2)
    expect(await statuses(send(3))).toEqual([503])
    accept()
    expect(await first).toEqual([202, 202])
    expect(await statuses(send(4), send(5))).toEqual([202, 202])
  })

  test('that is given up for lack of memory gets 503, and a sweep follows', async () => {
    const reported: string[] = []
    const { url, post } = await serve({
      capacity: {
        condition: () => ({ is: 'available' }),
        accepted: () => void reported.push('accepted'),
        refused: () => void reported.push('refused'),
      },
    })
    const stalled = await stall(url, { 'x-gitlab-token': TOKEN }, 25 * MB, 24 * MB)
    const others = await Promise.all([1, 2].map(() => stall(url, { 'x-gitlab-token': TOKEN }, 25 * MB, 24 * MB)))
    expect([503, undefined]).toContain(await stalled.status)
    expect((await post(BODY)).status).toBe(202)
    expect(reported).toEqual(['refused', 'accepted'])
    for (const { end } of [stalled, ...others]) end()
  })

  test('that breaks off leaves nothing, and the next is accepted', async () => {
    const { url, post, jobs } = await serve()
    const sending = request(url, { method: 'POST', headers: { 'content-length': '1000', 'x-gitlab-token': TOKEN } })
    const broken = once(sending, 'error')
    sending.write('{')
    sending.once('socket', (socket) =>
      socket.once('connect', () => setImmediate(() => sending.destroy(new Error('gone')))),
    )
    await broken
    await idOf(await post(BODY))
    expect(await jobs()).toMatchObject([{ body: BODY }])
  })
})

describe('a signed body', () => {
  const key = signingKey()
  const secrets = { tokens: [TOKEN], signing: [key] }

  test('over 25 MB gets 413, as its signature cannot be verified', async () => {
    const { post, jobs } = await serve({ secrets })
    const body = ' '.repeat(25 * MB + 1)
    const response = await post(body, signed(key, body))
    expect([response.status, await response.json()]).toEqual([413, { error: expect.stringContaining('25 MB') }])
    expect(await jobs()).toEqual([])
  })
})

describe('bodies of senders who only claim to sign', () => {
  const key = signingKey()

  test.each([
    ['the shared address', '', { tokens: [TOKEN], signing: [key] }],
    ['the address of a project', '/7', projectSecrets([MASTER_KEY], 7)],
  ])('keep nobody out of %s by declaring or sending much and then nothing more', async (_name, path, own) => {
    const served = await serve({ secrets: { tokens: [TOKEN], signing: [key] }, masterKeys: [MASTER_KEY] })
    const url = `${served.url}${path}`
    const claimed = signed(signingKey(), '')
    const stalled = await Promise.all([25, 25, 25, 14].map((size) => stall(url, claimed, size * MB, 1)))
    const flooding = await Promise.all([1, 2, 3].map(() => stall(url, claimed, 25 * MB, 24 * MB)))
    const post = async (body: string, headers: Record<string, string>) =>
      (await fetch(url, { method: 'POST', body, headers })).status
    expect(await post(BODY, { 'x-gitlab-token': own.tokens[0] ?? '' })).toBe(202)
    const body = ' '.repeat(MB)
    expect(await post(body, signed(own.signing[0] ?? '', body))).toBe(202)
    // All of them together are over the limit: the oldest was given up.
    expect([503, undefined]).toContain(await stalled[0]?.status)
    for (const { end } of [...stalled, ...flooding]) end()
  })
})
