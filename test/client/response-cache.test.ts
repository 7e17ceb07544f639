// The ETag cache: its bounds, and when a cached body is used.
import type nock from 'nock'
import { createClient } from '../../src/client/create-client.ts'
import type { RequestLog } from '../../src/client/transport.ts'
import { type CachedResponse, createResponseCache } from '../../src/client/transport.ts'
import { openWorld } from '../sandbox/sandbox-world.ts'
import { makeClient, playService, service } from './world.ts'

const body = (size: number): CachedResponse => ({ tag: '"1"', status: 200, bytes: new Uint8Array(size) })

describe('the cache', () => {
  it('evicts the least recently used body when it is full', () => {
    const cache = createResponseCache(4_000, 4_000)
    for (const key of ['a', 'b']) cache.set(key, body(1_000))
    cache.get('a')
    cache.set('c', body(1_000))
    expect(['a', 'b', 'c'].map((key) => cache.get(key) !== undefined)).toEqual([true, false, true])
  })

  it('stores no body that is too large, and drops the older one of its key', () => {
    const cache = createResponseCache(10_000, 1_000)
    cache.set('a', body(10))
    cache.set('a', body(1_001))
    expect(cache.get('a')).toBeUndefined()
  })
})

describe('a service that gives tags', () => {
  playService()

  it('is asked with the tag, and 304 means the cached body', async () => {
    service().get('/projects/3').reply(200, { id: 3, name: 'app' }, { etag: 'W/"a"' })
    service({ 'if-none-match': 'W/"a"', 'cache-control': 'max-age=0' })
      .get('/projects/3')
      .reply(304, undefined, { etag: 'W/"a"', 'ratelimit-remaining': '7', 'ratelimit-limit': '10' })
    const { client, lines, limits } = makeClient()
    const first = await client.projects.get({ id: 3 })
    // Callers do not share the parsed object.
    first.body.name = 'changed'
    expect(await client.projects.get({ id: 3 })).toMatchObject({ status: 200, body: { id: 3, name: 'app' } })
    expect(lines.map(({ status }) => status)).toEqual([200, 304])
    // It is a call like any other.
    expect(limits).toMatchObject([{ remaining: 7 }])
  })

  it('that sends another body replaces the cached one and its tag', async () => {
    service().get('/projects/3').reply(200, { id: 3, name: 'app' }, { etag: '"a"' })
    service({ 'if-none-match': '"a"' }).get('/projects/3').reply(200, { id: 3, name: 'new' }, { etag: '"b"' })
    service({ 'if-none-match': '"b"' }).get('/projects/3').reply(304)
    const { client } = makeClient()
    const names: unknown[] = []
    for (let n = 0; n < 3; n++) names.push((await client.projects.get({ id: 3 })).body.name)
    expect(names).toEqual(['app', 'new', 'new'])
  })

  it('that sends no tag any more gets none any more', async () => {
    const asked: unknown[] = []
    service()
      .get('/projects/3')
      .times(3)
      .reply(function () {
        asked.push(this.req.headers['if-none-match'])
        return [200, { id: 3 }, asked.length === 1 ? { etag: '"a"' } : {}]
      })
    const { client } = makeClient()
    for (let n = 0; n < 3; n++) await client.projects.get({ id: 3 })
    expect(asked.map(String)).toEqual(['undefined', '"a"', 'undefined'])
  })

  it('gets no tag with another token, with `bypassCache`, or with a write', async () => {
    const asked: unknown[] = []
    const note = function (this: { req: { headers: Record<string, unknown> } }): nock.ReplyFnResult {
      const { headers } = this.req
      asked.push([headers['private-token'], headers['if-none-match'], headers['cache-control']])
      return [200, { id: 3 }, { etag: '"a"' }]
    }
    service().get('/projects/3').times(3).reply(note)
    service().put('/projects/3/merge_requests/5').times(2).reply(note)
    let token = 'one'
    const { client } = makeClient({ token: () => token })
    await client.projects.get({ id: 3 })
    token = 'two'
    await client.projects.get({ id: 3 })
    await client.send('projects.get', { id: 3 }, { bypassCache: true })
    for (let n = 0; n < 2; n++) await client.mergeRequests.update({ id: 3, merge_request_iid: 5, title: 'x' })
    expect(asked).toEqual([
      ['one', undefined, undefined],
      ['two', undefined, undefined],
      ['two', undefined, 'no-cache'],
      ['two', undefined, undefined],
      ['two', undefined, undefined],
    ])
  })

  it('that answers 304 without page headers to a full page is asked for the next page', async () => {
    const path = '/projects/3/merge_requests'
    service()
      .get(path)
      .query({ per_page: '1' })
      .reply(200, [{ iid: 1 }], { etag: '"a"', 'x-next-page': '' })
    service({ 'if-none-match': '"a"' }).get(path).query({ per_page: '1' }).reply(304)
    service()
      .get(path)
      .query({ per_page: '1', page: '2' })
      .reply(200, [{ iid: 2 }], { 'x-next-page': '' })
    const { client } = makeClient()
    const read = () => client.pages(client.mergeRequests.list, { id: 3, per_page: 1 }, { maxPages: 5 }).collect()
    expect(await read()).toEqual({ items: [{ iid: 1 }], complete: true })
    expect(await read()).toEqual({ items: [{ iid: 1 }, { iid: 2 }], complete: true })
  })
})

it('the sandbox answers 304 while nothing has changed, else the whole body; each is a call', async () => {
  const world = await openWorld({ recordCalls: true })
  const statuses: unknown[] = []
  const log = ({ method, status }: RequestLog) => method === 'GET' && statuses.push(status)
  const client = createClient({ baseUrl: world.sandbox.url, token: 'root-token', log })
  const id = Number((await client.projects.create({ name: 'app' })).body.id)
  const stars = async () => (await client.projects.get({ id })).body.star_count
  expect([await stars(), await stars()]).toEqual([0, 0])
  await client.projects.star({ id })
  expect([await stars(), await stars()]).toEqual([1, 1])
  expect(statuses).toEqual([200, 304, 200, 304])
  expect(world.sandbox.calls().filter(({ endpoint }) => endpoint === 'projects.get')).toHaveLength(4)
})
