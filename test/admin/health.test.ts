// Health: /healthz as long as the process answers, /readyz only while the queue does.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import express from 'express'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { health } from '../../src/admin/health.ts'
import { QueueUnavailable } from '../../src/queue/errors.ts'

const log: string[] = []
let isAway = false
let url = ''
const app = express()
const queue = {
  kind: 'redis' as const,
  ping: async () => {
    if (isAway) throw new QueueUnavailable('inner.example does not answer')
  },
}
let capacity: { is: string; reason?: string } = { is: 'available' }
let service: { is: string; reason?: string } = { is: 'fine' }
let scope: { is: string; reason?: string } = { is: 'fine' }
app.use(
  health({
    queue,
    services: new Map([['git.example', { capacity: () => capacity, service: () => service, scope: () => scope }]]),
    log: pino({}, { write: (line: string) => void log.push(line) }),
  }),
)
const server = createServer(app)

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.close()
})

test('ready while the queue answers', async () => {
  isAway = false
  const response = await fetch(`${url}/readyz`)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ status: 'ready', queue: 'redis', service: 'fine', scope: 'fine' })
})

test('not ready while it does not: the failed check is named, its cause is in the log alone', async () => {
  isAway = true
  const response = await fetch(`${url}/readyz`)
  expect(response.status).toBe(503)
  expect(await response.json()).toEqual({
    ...{ status: 'not ready', failed: ['queue'], reasons: ['The queue does not respond.'] },
    ...{ service: 'fine', scope: 'fine' },
  })
  expect(log.join('')).toContain('inner.example')
})

test.each([
  ['the store is nearly full', () => (capacity = { is: 'low', reason: 'inner words' }), ['capacity']],
  ['the store is full', () => (capacity = { is: 'full' }), ['capacity']],
  ['the last delivery could not be kept', () => (capacity = { is: 'unreachable' }), ['capacity']],
  ['the service takes the token no more', () => (service = { is: 'token_rejected', reason: 'inner words' }), ['token']],
  ['the token may not write', () => (scope = { is: 'too narrow', reason: 'inner words' }), ['scope']],
])('not ready when %s', async (_name, happen, failed) => {
  isAway = false
  happen()
  const response = await fetch(`${url}/readyz`)
  capacity = { is: 'available' }
  service = { is: 'fine' }
  scope = { is: 'fine' }
  expect(response.status).toBe(503)
  const body = await response.text()
  expect(JSON.parse(body)).toMatchObject({ status: 'not ready', failed, reasons: [expect.stringMatching(/\.$/)] })
  expect(body).not.toContain('inner words')
})

test.each(['unreachable', 'rate_limited'])(
  'ready while the service is %s: deliveries are taken, and wait',
  async (is) => {
    isAway = false
    service = { is }
    const response = await fetch(`${url}/readyz`)
    service = { is: 'fine' }
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ status: 'ready', service: is })
  },
)

test('ready while nobody knows whether the token may write', async () => {
  isAway = false
  scope = { is: 'unknown' }
  const response = await fetch(`${url}/readyz`)
  scope = { is: 'fine' }
  expect([response.status, await response.json()]).toEqual([200, expect.objectContaining({ scope: 'unknown' })])
})

test('alive whatever the queue does', async () => {
  isAway = true
  const response = await fetch(`${url}/healthz`)
  expect([response.status, await response.json()]).toEqual([200, { status: 'ok' }])
})

test('with several services one that works is enough, and each is listed', async () => {
  const fine = { capacity: () => ({ is: 'available' }), service: () => ({ is: 'fine' }), scope: () => ({ is: 'fine' }) }
  const services = new Map([
    ['one', { ...fine, service: () => ({ is: 'token_rejected' }) }],
    ['two', fine],
  ])
  const both = express().use(
    health({ queue: { kind: 'redis', ping: async () => undefined }, services, log: pino({ level: 'silent' }) }),
  )
  const listening = both.listen(0, '127.0.0.1')
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${(listening.address() as AddressInfo).port}/readyz`)
    return { status: response.status, body: await response.json() }
  }
  try {
    await new Promise((resolve) => listening.once('listening', resolve))
    expect(await ask()).toEqual({
      status: 200,
      body: {
        ...{ status: 'ready', queue: 'redis' },
        services: {
          one: { service: 'token_rejected', scope: 'fine', capacity: 'available' },
          two: { service: 'fine', scope: 'fine', capacity: 'available' },
        },
      },
    })
    services.delete('two')
    expect(await ask()).toMatchObject({ status: 503, body: { failed: ['token'] } })
  } finally {
    listening.close()
  }
})
