// Each response of the API has the headers that GitLab sends.
import { expect, test } from 'vitest'
import { type Answer, openMergeRequest, openWorld } from '../sandbox-world.ts'

const kept = 'max-age=0, private, must-revalidate'

test.each([
  ['an object', 'GET', '/user', { status: 200, cache: kept }],
  ['a list', 'GET', '/projects', { status: 200, cache: kept }],
  ['something new', 'POST', '/projects', { status: 201, cache: kept, body: { name: 'new' } }],
  ['no content', 'DELETE', '/projects/1/merge_requests/1', { status: 204, cache: 'no-cache' }],
  ['a refusal', 'GET', '/projects/404', { status: 404, cache: 'no-cache' }],
  ['an invalid parameter', 'GET', '/projects?per_page=x', { status: 400, cache: 'no-cache' }],
  ['an unknown endpoint', 'GET', '/nothing', { status: 404, cache: 'no-cache' }],
  ['an unreadable body', 'POST', '/projects', { status: 400, cache: 'no-cache', body: ['no object'] }],
])('%s', async (_name, method, path, wanted: { status: number; cache: string; body?: unknown }) => {
  const world = await openMergeRequest()
  const answer = await world.call(method, path, wanted.body)
  expect(answer.status).toBe(wanted.status)
  expectHeaders(answer, wanted.cache)
})

test('a refused token', async () => {
  const world = await openWorld()
  const answer = await world.call('GET', '/user', undefined, 'wrong')
  expect(answer.status).toBe(401)
  expectHeaders(answer, 'no-cache')
})

test('an unchanged body is 304 with its mark and no content type', async () => {
  const world = await openWorld()
  const ask = (headers: Record<string, string>) =>
    fetch(`${world.url}/api/v4/user`, { headers: { 'PRIVATE-TOKEN': 'root-token', ...headers } })
  const mark = (await ask({})).headers.get('etag') ?? ''
  const again = await ask({ 'If-None-Match': mark })
  expect([again.status, again.headers.get('etag'), again.headers.get('content-type')]).toEqual([304, mark, null])
})

test('every response has a request id of its own, which is its correlation id', async () => {
  const world = await openWorld()
  const ids = []
  for (const path of ['/user', '/user', '/nothing']) {
    const { headers } = await world.call('GET', path)
    expect(JSON.parse(headers.get('x-gitlab-meta') ?? '')).toEqual({
      correlation_id: headers.get('x-request-id'),
      version: '1',
    })
    ids.push(headers.get('x-request-id'))
  }
  expect(new Set(ids).size).toBe(3)
})

function expectHeaders({ status, headers }: Answer, cache: string) {
  const given = Object.fromEntries(headers)
  expect(given).toMatchObject({
    'cache-control': cache,
    'keep-alive': 'timeout=65',
    vary: 'Origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'x-request-id': expect.stringMatching(/^[\w-]{26,36}$/),
    'x-runtime': expect.stringMatching(/^\d+\.\d{6}$/),
  })
  const type = status === 204 ? null : 'application/json'
  expect(headers.get('content-type')).toBe(type)
  expect(headers.get('etag')).toEqual(cache === kept ? expect.stringMatching(/^W\/"[^"]+"$/) : null)
  expect(Object.keys(given).filter((name) => /^ratelimit|^retry-after|^x-powered-by/.test(name))).toEqual([])
}
