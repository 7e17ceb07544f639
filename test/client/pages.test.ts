// Reading lists page by page: to the end, on one host, and never complete where it stopped early.
import nock from 'nock'
import { InvalidCallError } from '../../src/client/errors.ts'
import { HOST, makeClient, playService, service, serviceError } from './world.ts'

playService()

const path = '/projects/3/merge_requests'
const link = (query: string, host = HOST) => ({
  link: `<${host}/api/v4${path}?page=1>; rel="first", <${host}/api/v4${path}?${query}>; rel="next"`,
})

type Query = Parameters<ReturnType<ReturnType<typeof service>['get']>['query']>[0]
/** The service answers one page with the merge request `iid`, or with none. */
const page = (query: Query, iid: number | undefined, headers: Record<string, string> = {}) =>
  service()
    .get(path)
    .query(query)
    .reply(200, iid === undefined ? [] : [{ iid }], headers)
const list = (params: object = {}, maxPages = 5, { client } = makeClient()) =>
  client.pages(client.mergeRequests.list, { id: 3, ...params }, { maxPages })

describe('a list', () => {
  it('is followed by the Link header, a cursor included', async () => {
    page({ state: 'opened', per_page: '100' }, 1, link('cursor=abc&per_page=100'))
    page({ cursor: 'abc', per_page: '100' }, 2, { link: '<x>; rel="first"' })
    expect(await list({ state: 'opened' }).collect()).toEqual({ items: [{ iid: 1 }, { iid: 2 }], complete: true })
  })

  it('is followed by x-next-page, with all its other parameters', async () => {
    page({ 'iids[]': '7', per_page: '2' }, 1, { 'x-next-page': '2' })
    page({ 'iids[]': '7', per_page: '2', page: '2' }, 2, { 'x-next-page': '' })
    const numbers: unknown[] = []
    for await (const { body, complete } of list({ iids: [7], per_page: 2 })) numbers.push([body[0]?.iid, complete])
    expect(numbers).toEqual([
      [1, false],
      [2, true],
    ])
  })

  it('is asked for once more after a full page when the service says nothing about pages', async () => {
    page({ per_page: '1' }, 1)
    page({ per_page: '1', page: '2' }, undefined)
    expect(await list({ per_page: 1 }).collect()).toEqual({ items: [{ iid: 1 }], complete: true })
  })

  it('that is cut at maxPages is not complete', async () => {
    page(true, 1, { 'x-next-page': '2' })
    const pages = makeClient().client.pages('mergeRequests.list', { id: 3 }, { maxPages: 1 })
    expect(await pages.collect()).toEqual({ items: [{ iid: 1 }], complete: false })
  })

  it('that leads in a circle ends, and is not complete', async () => {
    for (let n = 0; n < 9; n++) page(true, 1, { 'x-next-page': '2' })
    const world = makeClient()
    expect((await list({}, 9, world).collect()).complete).toBe(false)
    expect(world.lines).toHaveLength(2)
  })

  it.each([
    'https://evil.example',
    'http://code.example',
    'https://code.example:444',
    'https://code.example.evil.example',
  ])('is not followed to %s, which gets nothing', async (host) => {
    const other = nock(host).get(/.*/).reply(200, [])
    page(true, 1, link('page=2', host))
    const error = await serviceError(list().collect())
    expect(error).toMatchObject({ kind: 'redirected', endpoint: 'mergeRequests.list', status: 200 })
    expect(error.message).toContain(`its next page is on ${new URL(host).host}, not on the configured host`)
    expect(other.isDone()).toBe(false)
  })

  it('takes only the query of a link, so that it cannot lead to another endpoint', async () => {
    page({ per_page: '100' }, 1, { link: `<${HOST}/api/v4/user?page=2>; rel=next` })
    page({ page: '2' }, 2, { 'x-next-page': '' })
    expect((await list().collect()).items).toHaveLength(2)
  })

  it('fails as a whole when one of its pages does', async () => {
    page(true, 1, { 'x-next-page': '2' })
    service().get(path).query(true).reply(403)
    expect(await serviceError(list().collect())).toMatchObject({ status: 403 })
  })

  it('is read only as far as it is asked for', async () => {
    page(true, 1, { 'x-next-page': '2' })
    const world = makeClient()
    for await (const _ of list({}, 5, world)) break
    expect(world.lines).toHaveLength(1)
  })
})

it.each([
  ['projects.get', 1],
  ['projects.list', 0],
])('pages of %s, at most %i, are an invalid call', (name, maxPages) => {
  expect(() => makeClient().client.pages(name, { id: 3 }, { maxPages })).toThrow(InvalidCallError)
})
