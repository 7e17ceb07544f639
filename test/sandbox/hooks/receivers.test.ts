// Deliveries to receivers: signatures, TLS, credentials, redirects, time-outs.
import { execFile } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { isAuthentic } from '../../../src/bot/webhook/hook-secrets.ts'
import { createDeliveries, type HookEvent } from '../../../src/sandbox/hooks/deliveries.ts'
import type { HookReceiver } from '../../../src/sandbox/records/records.ts'
import { openProject, openWorld, serve } from '../sandbox-world.ts'

const execute = promisify(execFile)
const hasOpenssl = await execute('openssl', ['version']).then(
  () => true,
  () => false,
)

/** A receiver that keeps every delivery with its raw body, and lets `answer` answer it. */
async function keep(
  answer: RequestListener = (_request, response) => response.end(),
  create: (listener: RequestListener) => Parameters<typeof serve>[0] = createServer,
) {
  const received: { headers: IncomingHttpHeaders; body: Buffer }[] = []
  const url = await serve(
    create(async (request, response) => {
      received.push({ headers: request.headers, body: await buffer(request) })
      answer(request, response)
    }),
  )
  return { received, url }
}

/** Pushes to a project with this hook. */
async function deliverTo(settings: Record<string, unknown>) {
  const world = await openProject()
  await world.post('/projects/1/hooks', { push_events: true, ...settings })
  await world.write('master', 'ä.txt', 'a')
  await world.idle()
}

test('a hook with a signing token is signed over id, time and raw body, and the bot takes it', async () => {
  const { received, url } = await keep()
  const key = randomBytes(32)
  const signing_token = `whsec_${key.toString('base64')}`
  await deliverTo({ url, signing_token, token: 'secret' })
  const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = received
  const id = String(headers['webhook-id'])
  const timestamp = String(headers['webhook-timestamp'])
  const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.${body.toString()}`).digest('base64')
  expect(headers['webhook-signature']).toBe(`v1,${wanted}`)
  expect(headers['x-gitlab-token']).toBe('secret')
  expect(isAuthentic({ headers, body, now: Date.now() }, { tokens: [], signing: [signing_token] })).toBe(true)
  const other = `whsec_${randomBytes(32).toString('base64')}`
  expect(isAuthentic({ headers, body, now: Date.now() }, { tokens: ['secret'], signing: [other] })).toBe(false)
})

test('id and time come with every delivery, the signature only with a signing token', async () => {
  const { received, url } = await keep()
  const before = Math.floor(Date.now() / 1000)
  await deliverTo({ url })
  const headers = received[0]?.headers ?? {}
  expect(headers['webhook-id']).toBe(headers['idempotency-key'])
  expect(headers['webhook-timestamp']).toMatch(/^\d+$/)
  expect(Number(headers['webhook-timestamp'])).toBeGreaterThanOrEqual(before)
  expect(headers).not.toHaveProperty('webhook-signature')
})

test('a token outside ASCII is sent in UTF-8, and the bot accepts it', async () => {
  const { received, url } = await keep()
  await deliverTo({ url, token: 'grüße 漢\u0001' })
  const [{ headers, body } = { headers: {}, body: Buffer.alloc(0) }] = received
  expect(isAuthentic({ headers, body, now: Date.now() }, { tokens: ['grüße 漢'], signing: [] })).toBe(true)
})

test('user and password of the address are sent as Authorization: Basic', async () => {
  const { received, url } = await keep()
  await deliverTo({ url: `${url.replace('//', '//us%3Aer:p%40ss@')}/hook` })
  expect(received.map(({ headers }) => headers.authorization)).toEqual([
    `Basic ${Buffer.from('us:er:p@ss').toString('base64')}`,
  ])
})

test.each([302, 307])('a redirect by %i is not followed', async (status) => {
  const target = await keep()
  const first = await keep((_request, response) => response.writeHead(status, { location: target.url }).end())
  await deliverTo({ url: first.url })
  expect([first.received.length, target.received.length]).toEqual([1, 0])
})

test.skipIf(!hasOpenssl)(
  'a certificate that nobody vouches for is refused, unless verification is off (needs openssl)',
  async () => {
    const world = await openWorld()
    const [key, cert] = [join(world.folder, 'key.pem'), join(world.folder, 'cert.pem')]
    await execute('openssl', [
      ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'],
      ...['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert],
    ])
    const secrets = { key: await readFile(key), cert: await readFile(cert) }
    const { received, url: plain } = await keep(undefined, (listener) => createSecureServer(secrets, listener))
    await world.project()
    const url = plain.replace('http', 'https')
    const { id } = await world.post('/projects/1/hooks', { url, push_events: true })
    await world.write('master', 'a.txt', 'a')
    await world.idle()
    expect(received).toEqual([])
    await world.put(`/projects/1/hooks/${id}`, { url, enable_ssl_verification: false })
    await world.write('master', 'b.txt', 'b')
    await world.idle()
    expect(received.map(({ headers }) => headers['x-gitlab-event'])).toEqual(['Push Hook'])
  },
)

describe('a receiver that never answers', () => {
  const hook = (id: number, url: string): HookReceiver => ({
    ...{ id, url, token: null, signing_token: null },
    ...{ enable_ssl_verification: true, created_at: '2026-11-21T00:00:00.000Z' },
  })
  const event: HookEvent = { flag: 'push_events', name: 'Push Hook', payload: { object_kind: 'push' } }

  test('does not delay other hooks', async () => {
    const silent = await keep(() => undefined)
    const deliveries = createDeliveries(() => 'http://sandbox.example', { answerWithin: 3_600_000 })
    onTestFinished(() => deliveries.close())
    deliveries.enqueue(hook(1, silent.url), event, Promise.resolve())
    const other = await keep()
    deliveries.enqueue(hook(2, other.url), event, Promise.resolve())
    await expect.poll(() => other.received).toHaveLength(1)
  })

  test('is given up, and asked again only for the next event', async () => {
    const silent = await keep(() => undefined)
    const deliveries = createDeliveries(() => 'http://sandbox.example', { answerWithin: 300 })
    deliveries.enqueue(hook(1, silent.url), event, Promise.resolve())
    deliveries.enqueue(hook(1, silent.url), event, Promise.resolve())
    await deliveries.idle()
    expect(silent.received).toHaveLength(2)
  })

  test('a payload of more than 25 MB is not sent', async () => {
    const { received, url } = await keep()
    const deliveries = createDeliveries(() => 'http://sandbox.example')
    deliveries.enqueue(hook(1, url), { ...event, payload: { text: 'x'.repeat(25 * 1024 * 1024) } }, Promise.resolve())
    deliveries.enqueue(hook(1, url), event, Promise.resolve())
    await deliveries.idle()
    expect(received.map(({ body }) => body.toString())).toEqual(['{"object_kind":"push"}'])
  })
})
