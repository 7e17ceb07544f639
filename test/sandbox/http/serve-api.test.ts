import { request } from 'node:http'
import { describe, expect } from 'vitest'
import { listEndpoints } from '../../../src/api/endpoint.ts'
import { api } from '../../../src/api/index.ts'
import { linkHeaders } from '../../../src/sandbox/http/serve-api.ts'
import { eachCase, openWorld, test } from '../sandbox-world.ts'

describe('authentication', () => {
  test('a call without a token is 401 wherever the contract asks for one', async ({ world }) => {
    await eachCase(
      listEndpoints(api).filter(({ anonymous }) => anonymous !== true),
      async ({ method, path }) => {
        const refused = await world.answer(method, path.replace(/:\w+/g, '1'), undefined, null)
        expect(refused).toEqual([401, { message: '401 Unauthorized' }])
      },
    )
  })

  test('a wrong token is 401 even where no token is needed', async ({ world }) => {
    expect(await world.status('GET', '/projects', undefined, 'wrong')).toBe(401)
    expect(await world.status('GET', '/projects', undefined, null)).toBe(200)
  })
})

describe('parameters', () => {
  test('a project is found by its number and by its encoded path', async ({ world }) => {
    const group = await world.group('Team')
    const inner = await world.group('Inner', { parent_id: group.id })
    const project = await world.post('/projects', { name: 'App', namespace_id: inner.id })
    expect((await world.get(`/projects/${project.id}`)).path_with_namespace).toBe('team/inner/app')
    expect((await world.get('/projects/team%2Finner%2Fapp')).id).toBe(project.id)
    expect((await world.get('/projects/Team%2finner%2FAPP')).id).toBe(project.id)
  })

  test('an invalid body is refused', async ({ world }) => {
    await eachCase(
      [
        ['{"a":', 'application/json', 400],
        ['[1]', 'application/json', 400],
        ['"text"', 'application/json', 400],
        ['a', 'text/plain', 415],
        ['{}', 'application/json; charset=nonsense', 415],
      ],
      async ([body, type, wanted]) => {
        const response = await fetch(`${world.url}/api/v4/projects`, {
          method: 'POST',
          body,
          headers: { 'PRIVATE-TOKEN': 'root-token', 'Content-Type': type },
        })
        expect(response.status).toBe(wanted)
        expect(await response.json()).toHaveProperty('error')
      },
    )
  })

  test('an unknown address is a 4xx in JSON', async ({ world }) => {
    await eachCase(
      [
        '/nothing',
        '/projects/1/nothing',
        '/PROJECTS',
        '/projects/..%2f..%2fetc',
        '/projects/%2e%2e',
        '/projects/-1',
        '/projects/%',
      ],
      async (path) => {
        const response = await fetch(`${world.url}/api/v4${path}`, {
          headers: { 'PRIVATE-TOKEN': 'root-token' },
        })
        expect([400, 404]).toContain(response.status)
        expect(await response.json()).toBeTypeOf('object')
      },
    )
  })
})

describe('hostile requests', () => {
  test.each([
    ['anonymously', 'GET', '/projects', null],
    ['by root', 'POST', '/projects', 'root-token'],
  ])('a body that nests without end is refused, %s', async (_who, method, path, token) => {
    const world = await openWorld()
    const body = `{"x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    const headers = {
      'Content-Type': 'application/json',
      'Content-Length': String(body.length),
      ...(token !== null && { 'PRIVATE-TOKEN': token }),
    }
    const { status, text } = await rawRequest(world.url, { method, path: `/api/v4${path}`, headers }, body)
    expect([status, JSON.parse(text)]).toEqual([400, { error: 'x is invalid' }])
  })

  test('an address with its host in the request line is answered, and the links stay at this service', async () => {
    const world = await openWorld()
    await world.post('/projects', { name: 'one' })
    await world.post('/projects', { name: 'two' })
    const headers = { 'PRIVATE-TOKEN': 'root-token' }
    const answer = await rawRequest(world.url, {
      method: 'GET',
      path: 'http://elsewhere/api/v4/projects?per_page=1',
      headers,
    })
    expect(answer.status).toBe(200)
    expect(answer.link).toContain(`<${world.url}/api/v4/projects?per_page=1&page=2>; rel="next"`)
  })
})

function rawRequest(
  url: string,
  options: { method: string; path: string; headers: Record<string, string> },
  body = '',
): Promise<{ status: number; text: string; link: string }> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve, reject) => {
    const sent = request({ ...options, hostname, port }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          text: Buffer.concat(chunks).toString(),
          link: String(response.headers.link),
        }),
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

test.each([
  ['an object', '/user', 200],
  ['a list', '/projects', 200],
  ['a refusal', '/projects/404', 404],
  ['an unknown endpoint', '/nothing', 404],
])('%s is application/json without a character set', async (_name, path, status) => {
  const world = await openWorld()
  const response = await world.call('GET', path)
  expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/json'])
})

test('an unchanged body is 304 with its mark, also for clients that want no cache', async ({ world }) => {
  const ask = (headers: Record<string, string>) =>
    fetch(`${world.url}/api/v4/user`, { headers: { 'PRIVATE-TOKEN': 'root-token', ...headers } })
  const mark = (await ask({})).headers.get('etag') ?? ''
  expect(mark).toMatch(/^W\/"[^"]+"$/)
  const again = await ask({ 'If-None-Match': mark, 'Cache-Control': 'no-cache' })
  expect([again.status, again.headers.get('etag'), again.headers.get('content-type')]).toEqual([304, mark, null])
})

const links = (total: number, page: number) =>
  linkHeaders('http://service/api/v4/projects?order_by=id', { page, per_page: 2, total })
const target = (page: number) => `<http://service/api/v4/projects?order_by=id&page=${page}&per_page=2>`

test('a page in the middle links to prev, next, first and last', () => {
  expect(links(8, 2)).toEqual({
    link: `${target(1)}; rel="prev", ${target(3)}; rel="next", ${target(1)}; rel="first", ${target(4)}; rel="last"`,
    'x-page': '2',
    'x-per-page': '2',
    'x-next-page': '3',
    'x-prev-page': '1',
    'x-total': '8',
    'x-total-pages': '4',
  })
})

test('a page after the last links back to the last', () => {
  expect(links(8, 9)).toMatchObject({ 'x-prev-page': '4', 'x-next-page': '' })
})

test('an empty list is one page', () => {
  expect(links(0, 1)).toMatchObject({
    link: `${target(1)}; rel="first", ${target(1)}; rel="last"`,
    'x-next-page': '',
    'x-prev-page': '',
    'x-total': '0',
    'x-total-pages': '1',
  })
})

test.each([
  [10_000, true],
  [10_001, false],
])('of %i entries, the total and the last page are shown: %s', (total, shown) => {
  const given = links(total, 1)
  expect(['x-total' in given, 'x-total-pages' in given, given.link?.includes('rel="last"')]).toEqual([
    shown,
    shown,
    shown,
  ])
  expect(given['x-next-page']).toBe('2')
})
