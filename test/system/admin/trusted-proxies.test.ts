// A bot behind a reverse proxy: the client that the proxy names counts, for the lock after wrong tokens and in the log.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { prepareQueue } from '../../prepared-database.ts'
import { adminToken, startAdminWorld } from '../admin-world.ts'

let folder: string
let queueUrl: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bellhop-proxies-'))
  queueUrl = await prepareQueue(join(folder, 'queue'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The bot, asked by a proxy on this machine for that client. */
async function start(settings: Record<string, string>) {
  const { bellhop, lines } = await startAdminWorld({ BELLHOP_QUEUE_URL: queueUrl, ...settings })
  const send = async (path: string, client: string, init: RequestInit = {}) => {
    const response = await fetch(`${bellhop.url}${path}`, {
      ...init,
      headers: { ...init.headers, 'x-forwarded-for': client },
    })
    await response.body?.cancel()
    return response.status
  }
  return {
    ask: (token: string, client: string) =>
      send('/admin/api/overview', client, { headers: { authorization: `Bearer ${token}` } }),
    logIn: (token: string, client: string) =>
      send('/admin/login', client, {
        method: 'POST',
        redirect: 'manual',
        body: new URLSearchParams({ token }),
        headers: { 'sec-fetch-site': 'same-origin' },
      }),
    deliver: (client: string) => send('/hooks', client, { method: 'POST', body: '{}' }),
    refusedFrom: () => lines().flatMap(({ event, from }) => (event === 'delivery_unauthorized' ? [from] : [])),
  }
}

test('ten wrong tokens of one client lock out that client, and nobody else behind the trusted proxy', async () => {
  const bellhop = await start({ BELLHOP_TRUSTED_PROXIES: '127.0.0.0/8' })
  for (let n = 0; n < 10; n += 1) expect(await bellhop.ask('wrong', `198.51.100.${n}, 203.0.113.5`)).toBe(401)
  expect([await bellhop.ask(adminToken, '203.0.113.5'), await bellhop.logIn(adminToken, '203.0.113.5')]).toEqual([
    429, 429,
  ])
  expect([await bellhop.ask(adminToken, '203.0.113.6'), await bellhop.logIn(adminToken, '203.0.113.6')]).toEqual([
    200, 303,
  ])
  expect(await bellhop.deliver('198.51.100.9, 203.0.113.7')).toBe(401)
  expect(bellhop.refusedFrom()).toEqual(['203.0.113.7'])
})
