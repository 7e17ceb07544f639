// Health: /healthz while the process responds, /readyz while it can accept and do work.
import { createServer } from 'node:http'
import express from 'express'
import { pino } from 'pino'
import { type HealthOptions, health } from '../../src/admin/health.ts'
import { JournalUnavailable } from '../../src/journal/errors.ts'
import { QueueUnavailable } from '../../src/queue/errors.ts'
import { listening } from '../listening.ts'

interface Condition {
  is: string
  reason?: string
}
/** What the routes are asked about, as the present test sets it. */
let state: { isAway: boolean; isStopping: boolean; journal?: Error } & Record<
  'capacity' | 'service' | 'scope',
  Condition
>
const log: string[] = []
let url = ''
const queue = {
  kind: 'redis' as const,
  ping: async () => {
    if (state.isAway) throw new QueueUnavailable('inner.example does not answer')
  },
}
const options: HealthOptions = {
  ...{ queue, isStopping: () => state.isStopping, log: pino({}, { write: (line: string) => void log.push(line) }) },
  ...{ capacity: () => state.capacity, service: () => state.service, scope: () => state.scope },
}
const journal = {
  ping: async () => {
    if (state.journal !== undefined) throw state.journal
  },
}
const server = createServer(
  express()
    .use(health(options))
    .use('/journal', health({ ...options, journal })),
)

beforeAll(async () => {
  url = await listening(server)
  return () => void server.close()
})

const fine = { is: 'fine' }

/** What /readyz answers in this state. */
async function readyz(given: Partial<typeof state>, path = '/readyz') {
  state = { isAway: false, isStopping: false, capacity: { is: 'available' }, service: fine, scope: fine, ...given }
  const response = await fetch(`${url}${path}`)
  return { status: response.status, body: (await response.json()) as object }
}

test.each<[string, Parameters<typeof readyz>[0], object]>([
  ['while the queue responds', {}, { service: 'fine', scope: 'fine' }],
  ['while the service is unreachable: deliveries wait', { service: { is: 'unreachable' } }, { service: 'unreachable' }],
  ['while the rate limit is used up', { service: { is: 'rate_limited' } }, { service: 'rate_limited' }],
  ['while the scope of the token is unknown', { scope: { is: 'unknown' } }, { scope: 'unknown' }],
])('ready %s', async (_, state, known) => {
  const body = { status: 'ready', queue: 'redis', service: 'fine', scope: 'fine', ...known }
  expect(await readyz(state)).toEqual({ status: 200, body })
})

test.each<[string, Parameters<typeof readyz>[0], string]>([
  ['the queue does not respond', { isAway: true }, 'queue'],
  ['the store is nearly full', { capacity: { is: 'low', reason: 'inner words' } }, 'capacity'],
  ['the store is full', { capacity: { is: 'full' } }, 'capacity'],
  ['the last delivery could not be stored', { capacity: { is: 'unreachable' } }, 'capacity'],
  ['the service rejects the token', { service: { is: 'token_rejected', reason: 'inner words' } }, 'token'],
  ['the token may not write', { scope: { is: 'too_narrow', reason: 'inner words' } }, 'scope'],
])('not ready when %s: the check is named, the details are in the log only', async (_, state, failed) => {
  const answer = await readyz(state)
  const body = { status: 'not ready', failed: [failed], reasons: [expect.stringMatching(/\.$/)] }
  expect(answer).toMatchObject({ status: 503, body })
  expect(JSON.stringify(answer)).not.toMatch(/inner/)
  if (failed === 'queue') expect(log.join('')).toContain('inner.example')
})

test('not ready while the process stops, which is no news for the log', async () => {
  const before = log.length
  const body = { status: 'not ready', failed: ['stopping'], reasons: ['The process is stopping.'] }
  expect(await readyz({ isStopping: true })).toEqual({ status: 503, body })
  expect(log).toHaveLength(before)
})

const refused = (code?: string) =>
  new JournalUnavailable('refused', { cause: Object.assign(new Error('db.example'), { code }) })

test.each([
  ['unreachable', new Error('db.example'), /does not respond: deliveries are accepted, and wait/],
  ['unreachable', refused(), /does not respond/],
  ['unreachable', refused('ECONNREFUSED'), /does not respond/],
  ['unreachable', refused('57P03'), /does not respond/],
  ['read_only', refused('25006'), /only reads: deliveries are accepted, and wait/],
  ['full', refused('53100'), /is full: deliveries are accepted, and wait/],
  ['failing', refused('42501'), /refuses what is written: deliveries are accepted, and wait/],
] as const)('ready while the journal’s database is %s, as deliveries are accepted', async (is, error, waits) => {
  log.length = 0
  const ask = async (trouble?: Error) => (await readyz({ journal: trouble }, '/journal/readyz')).body
  const said = await ask(error)
  expect(said).toMatchObject({ status: 'ready', journal: is, waits: expect.stringMatching(waits) })
  expect(await ask(error)).toEqual(said)
  // The log alone says where the database is, and once.
  expect(JSON.stringify(said)).not.toContain('db.example')
  expect(log).toEqual([expect.stringMatching(new RegExp(`journal_unavailable.*"${is}".*db\\.example`))])
  const body = await ask()
  expect(body).toMatchObject({ status: 'ready', journal: 'available' })
  expect(body).not.toHaveProperty('waits')
  expect(log.slice(1)).toEqual([expect.stringContaining('journal_available')])
})

test('a receiver takes deliveries while its queue responds, whatever else fails', async () => {
  const failing = { capacity: { is: 'low' }, service: { is: 'token_rejected' }, scope: { is: 'too_narrow' } }
  expect(await readyz(failing)).toMatchObject({ status: 503 })
  const taking = { status: 200, body: { status: 'ready', queue: 'redis' } }
  expect(await readyz(failing, '/readyz/deliveries')).toEqual(taking)
})

test.each([
  ['its queue does not respond', 'queue', { isAway: true }],
  ['it stops', 'stopping', { isStopping: true }],
] as const)('a receiver is to be left out when %s', async (_when, failed, given) => {
  const body = { failed: [failed], reasons: [expect.stringMatching(/\.$/)] }
  expect(await readyz(given, '/readyz/deliveries')).toMatchObject({ status: 503, body })
})
