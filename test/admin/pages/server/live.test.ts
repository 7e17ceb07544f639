// Server-sent events of lists: the count of newer items, until the browser disconnects, time is up or the process ends.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DeliveryRecord } from '../../../../src/journal/types.ts'
import { useStores } from '../../../bot/stores.ts'
import { type ServedAdmin, serveAdmin, TOKEN } from '../../serve-admin.ts'
import { logIn, visit } from '../visitor.ts'

const stores = useStores({ own: true })
const stopping = new AbortController()
const admins: ServedAdmin[] = []
let admin: ServedAdmin
let cookie: string

const serve = async (live: NonNullable<Parameters<typeof serveAdmin>[1]>['live'] = {}) => {
  const served = await serveAdmin({ journal: stores.journal }, { live: { everyMs: 5, ...live } })
  admins.push(served)
  return served
}
beforeAll(async () => {
  admin = await serve({ stopping: stopping.signal })
  cookie = (await logIn(admin, TOKEN)).cookie
  await save('d-1', 1)
})
afterAll(() => {
  for (const { server } of admins) server.closeAllConnections()
})

const save = (id: string, second: number, state: DeliveryRecord['state'] = 'read') =>
  stores.journal.deliveries.save({
    ...{ id, header: 'Push Hook', bytes: 3, state, mergeRequests: [] },
    receivedAt: `2026-11-22T10:00:0${second}.000Z`,
  })

/** The connection, and its next event that says something. */
async function listen(path: string, on = admin, as = cookie) {
  const response = await fetch(`${on.url}/admin/live${path}`, { headers: { cookie: as } })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const next = async (): Promise<unknown> => {
    for (;;) {
      const { value, done } = (await reader?.read()) ?? { done: true }
      if (done) return 'the end'
      const [, data] = /^data: (.*)$/m.exec(value ?? '') ?? []
      if (data !== undefined) return JSON.parse(data)
    }
  }
  return { response, next, close: () => reader?.cancel() }
}

test('a list gets the number of newer items that match its filter', async () => {
  const { next, close, response } = await listen('/deliveries?state=read&newest=d-1')
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream\b/)
  await save('d-2', 2)
  expect(await next()).toEqual({ count: 1, many: false })
  await save('d-3', 3, 'refused')
  await save('d-4', 4)
  expect(await next()).toEqual({ count: 2, many: false })
  await close()
})

test('a user who is not logged in gets nothing', async () => {
  expect((await visit(admin).get('/live/deliveries')).status).toBe(401)
})

test('a user who logs out gets no more', async () => {
  const visitor = await logIn(admin, TOKEN)
  const { response, next } = await listen('/deliveries?newest=d-1', admin, visitor.cookie)
  expect(response.status).toBe(200)
  await visitor.post('/logout', { csrf: await visitor.csrf() })
  await save('d-9', 9)
  // What was asked for before the session ended may still come.
  let heard = await next()
  while (heard !== 'the end') heard = await next()
})

test('above the limit of connections a browser does not reconnect; a closed connection frees one', async () => {
  const small = await serve({ connections: 1 })
  const first = await listen('/decisions', small)
  const asked = () => listen('/decisions', small)
  expect((await asked()).response.status).toBe(204)
  await first.close()
  let status = 204
  while (status === 204) {
    const again = await asked()
    status = again.response.status
    await again.close()
  }
  expect(status).toBe(200)
})

test('the connection ends after a while, so that the browser reconnects with its session', async () => {
  const { next } = await listen('/decisions', await serve({ atMostMs: 20 }))
  expect(await next()).toBe('the end')
})

test('shutdown does not wait for connections', async () => {
  const own = new AbortController()
  const ending = await serve({ stopping: own.signal, everyMs: 60_000 })
  const { next } = await listen('/decisions', ending)
  own.abort()
  expect(await next()).toBe('the end')
  expect((await listen('/decisions', ending)).response.status).toBe(204)
})
