import { request } from 'node:http'
import { listEndpoints } from '../../../src/api/endpoint.ts'
import { api } from '../../../src/api/index.ts'
import { eachCase, openWorld, test } from '../sandbox-world.ts'

test('a call without a token is 401 wherever the contract asks for one', async ({ world }) => {
  await eachCase(
    listEndpoints(api).filter(({ anonymous }) => anonymous !== true),
    async ({ method, path }) => {
      const refused = await world.nobody.answer(method, path.replace(/:\w+/g, '1'))
      expect(refused).toEqual([401, { message: '401 Unauthorized' }])
    },
  )
})

test('a wrong token is 401 even where no token is needed', async ({ world }) => {
  expect(await world.status('GET', '/projects', undefined, 'wrong')).toBe(401)
  expect(await world.nobody.status('GET', '/projects')).toBe(200)
})

test('a project is found by its number and by its encoded path', async ({ world }) => {
  const group = await world.group('Team')
  const inner = await world.group('Inner', { parent_id: group.id })
  const project = await world.post('/projects', { name: 'App', namespace_id: inner.id })
  expect((await world.get(`/projects/${project.id}`)).path_with_namespace).toBe('team/inner/app')
  expect((await world.get('/projects/team%2Finner%2Fapp')).id).toBe(project.id)
  expect((await world.get('/projects/Team%2finner%2FAPP')).id).toBe(project.id)
})

test('the response names the invalid parameter', async ({ withProject: world }) => {
  await eachCase(
    [
      ['GET', '/projects/1/merge_requests?state=open', undefined, { error: 'state does not have a valid value' }],
      [
        'POST',
        '/projects/1/repository/commits',
        { branch: 'b', commit_message: 'm', actions: [{ action: 'create' }] },
        { error: 'actions[file_path] is missing' },
      ],
      ['POST', '/projects', {}, { error: 'name, path are missing, at least one parameter must be provided' }],
    ],
    async ([method, path, body, wanted]) => {
      const answer = await world.call(method, path, body)
      expect({ status: answer.status, body: answer.body }).toEqual({ status: 400, body: wanted })
    },
  )
})

test('forms, queries and JSON texts all give numbers, booleans and lists', async ({ withMergeRequest: world }) => {
  const url = `${world.url}/api/v4/projects/1/merge_requests/1`
  const put = (body: string | null, query = '', type = 'application/x-www-form-urlencoded') =>
    fetch(url + query, {
      method: 'PUT',
      body,
      headers: { 'PRIVATE-TOKEN': 'root-token', 'Content-Type': type },
    }).then((answer) => answer.json())
  expect(await put('squash=true&title=From+a+form&assignee_id=1')).toMatchObject({
    squash: true,
    title: 'From a form',
    assignee: { id: 1 },
  })
  expect(await put(null, '?squash=false&assignee_id=')).toMatchObject({ squash: false, assignee: null })
  expect(await put('{"squash":"1","labels":["a","b"]}', '', 'application/json')).toMatchObject({
    squash: true,
    labels: ['a', 'b'],
  })
  expect(await put('labels[]=c&labels[]=d')).toMatchObject({ labels: ['c', 'd'] })
  expect(await world.get('/projects/1/merge_requests?iids[]=1&per_page=5000')).toHaveLength(1)
  expect(await world.get('/projects/1/merge_requests?iids=2,3')).toHaveLength(0)
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

test('the gate is awaited before a call is handled, with its endpoint, parameters and caller', async () => {
  const seen: unknown[] = []
  const world = await openWorld({
    gate: async (request) => {
      seen.push(request)
    },
  })
  await world.nobody.call('GET', '/projects/7')
  expect(seen).toEqual([{ endpoint: 'projects.get', params: { id: 7 }, caller: null }])
})

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
