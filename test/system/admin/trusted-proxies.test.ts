// A bot behind a reverse proxy: the client that the proxy names counts, for the lock after wrong tokens and in the log.
import { join } from 'node:path'
import { createLog } from '../../../src/cli/output/log.ts'
import { type Bellhop, startBellhop } from '../../../src/cli/server/start-bellhop.ts'
import { ownFolder } from '../../cli/own-folder.ts'
import { prepareQueue } from '../../prepared-database.ts'
import { configOf } from '../config-of.ts'

const adminToken = 'admin-token-of-this-test'
const log: { event?: string; from?: string }[] = []
const { folder } = ownFolder()
let bellhop: Bellhop
beforeAll(async () => {
  const config = configOf({
    ...{ BELLHOP_HOOK_SECRET: 'hook-secret', BELLHOP_ADMIN_TOKEN: adminToken, BELLHOP_RULES: folder },
    ...{ BELLHOP_SWEEP_EVERY: '0', BELLHOP_TRUSTED_PROXIES: '127.0.0.0/8' },
    BELLHOP_QUEUE_URL: await prepareQueue(join(folder, 'queue')),
  })
  const write = (line: string) => log.push(JSON.parse(line))
  bellhop = await startBellhop(config, { log: createLog({ level: 'info', secrets: [], write }) })
})
afterAll(() => bellhop?.stop())

/** Asked by a proxy on this machine for that client. */
async function send(path: string, client: string, init: RequestInit = {}) {
  const headers = { ...init.headers, 'x-forwarded-for': client }
  const response = await fetch(`${bellhop.url}${path}`, { redirect: 'manual', ...init, headers })
  await response.body?.cancel()
  return response.status
}
const ask = (token: string, client: string) =>
  send('/admin/api/overview', client, { headers: { authorization: `Bearer ${token}` } })
const logIn = (client: string) => {
  const body = new URLSearchParams({ token: adminToken })
  return send('/admin/login', client, { method: 'POST', body, headers: { 'sec-fetch-site': 'same-origin' } })
}

test('ten wrong tokens of one client lock out that client, and nobody else, whatever it writes into X-Forwarded-For', async () => {
  // The proxy adds the address that it sees behind what the client sent.
  for (let n = 0; n < 10; n += 1) expect(await ask('wrong', `198.51.100.${n}, 203.0.113.5`)).toBe(401)
  const [locked, other] = ['198.51.100.77, 203.0.113.5', '203.0.113.6']
  expect([await ask(adminToken, locked), await logIn(locked)]).toEqual([429, 429])
  expect([await ask(adminToken, other), await logIn(other)]).toEqual([200, 303])
  expect(await send('/hooks', '198.51.100.9, 203.0.113.7', { method: 'POST', body: '{}' })).toBe(401)
  expect(log.flatMap(({ event, from }) => (event === 'delivery_unauthorized' ? [from] : []))).toEqual(['203.0.113.7'])
})
