// Reading lists page by page: to the end, on one host, and never complete where it stopped early.
import nock from 'nock'
import { describe, expect, it } from 'vitest'
import { InvalidCallError } from '../../src/client/errors.ts'
import { HOST, makeClient, playService, service, serviceError } from './world.ts'

playService()

const path = '/projects/3/merge_requests'
const link = (query: string, host = HOST) => ({
  link: `<${host}/api/v4${path}?page=1>; rel="first", <${host}/api/v4${path}?${query}>; rel="next"`,
})

describe('a list', () => {
  it('is followed by the Link header, a cursor included', async () => {
    service()
      .get(path)
      .query({ state: 'opened', per_page: '100' })
      .reply(200, [{ iid: 1 }], link('cursor=abc&per_page=100'))
    service()
      .get(path)
      .query({ cursor: 'abc', per_page: '100' })
      .reply(200, [{ iid: 2 }], { link: '<x>; rel="first"' })
    const { client } = makeClient()
    const list = client.pages(client.mergeRequests.list, { id: 3, state: 'opened' }, { maxPages: 5 })
    expect(await list.collect()).toEqual({ items: [{ iid: 1 }, { iid: 2 }], complete: true })
  })

  it('is followed by x-next-page, with all its other parameters', async () => {
    service()
      .get(path)
      .query({ 'iids[]': '7', per_page: '2' })
      .reply(200, [{ iid: 1 }], { 'x-next-page': '2' })
    service()
      .get(path)
      .query({ 'iids[]': '7', per_page: '2', page: '2' })
      .reply(200, [{ iid: 2 }], { 'x-next-page': '' })
    const { client } = makeClient()
    const numbers: unknown[] = []
    for await (const page of client.pages(
      client.mergeRequests.list,
      { id: 3, iids: [7], per_page: 2 },
      { maxPages: 5 },
    )) {
      numbers.push([page.body[0]?.iid, page.complete])
    }
    expect(numbers).toEqual([
      [1, false],
      [2, true],
    ])
  })

  it('is asked for once more after a full page when the service says nothing about pages', async () => {
    service()
      .get(path)
      .query({ per_page: '1' })
      .reply(200, [{ iid: 1 }])
    service().get(path).query({ per_page: '1', page: '2' }).reply(200, [])
    const { client } = makeClient()
    const list = client.pages(client.mergeRequests.list, { id: 3, per_page: 1 }, { maxPages: 5 })
    expect(await list.collect()).toEqual({ items: [{ iid: 1 }], complete: true })
  })

  it('that is cut at maxPages is not complete', async () => {
    service()
      .get(path)
      .query(true)
      .times(2)
      .reply(200, [{ iid: 1 }], { 'x-next-page': '2' })
    const { client } = makeClient()
    const list = client.pages('mergeRequests.list', { id: 3 }, { maxPages: 1 })
    expect(await list.collect()).toEqual({ items: [{ iid: 1 }], complete: false })
  })

  it('that leads in a circle ends, and is not complete', async () => {
    service()
      .get(path)
      .query(true)
      .times(9)
      .reply(200, [{ iid: 1 }], { 'x-next-page': '2' })
    const { client, lines } = makeClient()
    expect((await client.pages(client.mergeRequests.list, { id: 3 }, { maxPages: 9 }).collect()).complete).toBe(false)
    expect(lines).toHaveLength(2)
  })

  it.each([
    'https://evil.example',
    'http://code.example',
    'https://code.example:444',
    'https://code.example.evil.example',
  ])('is not followed to %s, which gets nothing', async (host) => {
    const other = nock(host).get(/.*/).reply(200, [])
    service()
      .get(path)
      .query(true)
      .reply(200, [{ iid: 1 }], link('page=2', host))
    const { client } = makeClient()
    const error = await serviceError(client.pages(client.mergeRequests.list, { id: 3 }, { maxPages: 5 }).collect())
    expect(error).toMatchObject({ kind: 'redirected', endpoint: 'mergeRequests.list', status: 200 })
    expect(error.message).toContain(`its next page is on ${new URL(host).host}, not on the configured host`)
    expect(other.isDone()).toBe(false)
  })

  it('takes only the query of a link, so that it cannot lead to another endpoint', async () => {
    service()
      .get(path)
      .query({ per_page: '100' })
      .reply(200, [{ iid: 1 }], { link: `<${HOST}/api/v4/user?page=2>; rel=next` })
    service()
      .get(path)
      .query({ page: '2' })
      .reply(200, [{ iid: 2 }], { 'x-next-page': '' })
    const { client } = makeClient()
    expect((await client.pages(client.mergeRequests.list, { id: 3 }, { maxPages: 5 }).collect()).items).toHaveLength(2)
  })

  it('fails as a whole when one of its pages does', async () => {
    service()
      .get(path)
      .query(true)
      .reply(200, [{ iid: 1 }], { 'x-next-page': '2' })
      .get(path)
      .query(true)
      .reply(403)
    const { client } = makeClient()
    const list = client.pages(client.mergeRequests.list, { id: 3 }, { maxPages: 5 })
    expect(await serviceError(list.collect())).toMatchObject({ status: 403 })
  })

  it('is read only as far as it is asked for', async () => {
    service()
      .get(path)
      .query(true)
      .reply(200, [{ iid: 1 }], { 'x-next-page': '2' })
    const { client, lines } = makeClient()
    for await (const _ of client.pages(client.mergeRequests.list, { id: 3 }, { maxPages: 5 })) break
    expect(lines).toHaveLength(1)
  })
})

it.each([
  ['projects.get', 1],
  ['projects.list', 0],
])('pages of %s, at most %i, are an invalid call', (name, maxPages) => {
  expect(() => makeClient().client.pages(name, { id: 3 }, { maxPages })).toThrow(InvalidCallError)
})
