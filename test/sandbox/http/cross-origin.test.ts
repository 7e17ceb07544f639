// Pages of other origins may read the API, without the cookie; those of the installation itself with it.
import { expect, test } from 'vitest'
import { openWorld } from '../sandbox-world.ts'

const page = 'https://page.example.com'
const open = async () => {
  const { url } = await openWorld()
  return {
    url,
    /** The headers about origins. */
    async ask(path: string, headers: Record<string, string>, method = 'GET') {
      const response = await fetch(`${url}/api/v4${path}`, { method, headers })
      const names = [...response.headers].filter(([name]) => name.startsWith('access-control-'))
      const vary = response.headers.get('vary')
      return { status: response.status, vary, body: await response.text(), headers: Object.fromEntries(names) }
    },
  }
}
const common = {
  'access-control-allow-methods': 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
  'access-control-expose-headers': expect.stringMatching(/^Link, X-Total, .*X-Gitlab-Commit-Id, .*X-Request-Id, ETag$/),
  'access-control-max-age': '7200',
}

test.each([
  ['an answer', '/version', { 'PRIVATE-TOKEN': 'root-token' }, 200],
  ['a refused token', '/user', {}, 401],
  ['an unknown address', '/nothing', {}, 404],
])('%s may be read by every page', async (_name, path, more, status) => {
  const { ask } = await open()
  expect(await ask(path, { ...more, Origin: page })).toMatchObject({ status, vary: 'Origin' })
  expect((await ask(path, { ...more, Origin: page })).headers).toEqual({
    ...common,
    'access-control-allow-origin': '*',
  })
  expect(await ask(path, more)).toMatchObject({ status, vary: 'Origin', headers: {} })
})

test('a page of the installation itself may send its cookie', async () => {
  const { ask, url } = await open()
  expect((await ask('/nothing', { Origin: url })).headers).toEqual({
    ...common,
    'access-control-allow-origin': url,
    'access-control-allow-credentials': 'true',
  })
})

test('a preflight is answered without a token, whatever it asks for', async () => {
  const { ask } = await open()
  const wanted = {
    Origin: page,
    'Access-Control-Request-Method': 'PUT',
    'Access-Control-Request-Headers': 'private-token, x-any',
  }
  expect(await ask('/projects/1', wanted, 'OPTIONS')).toMatchObject({ status: 200, body: '' })
  expect((await ask('/projects/1', wanted, 'OPTIONS')).headers).toEqual({
    ...common,
    'access-control-allow-origin': '*',
    'access-control-allow-headers': 'private-token, x-any',
  })
  const { 'access-control-allow-headers': _none, ...rest } = (
    await ask('/projects/1', { Origin: page, 'Access-Control-Request-Method': 'GET' }, 'OPTIONS')
  ).headers
  expect([_none, rest]).toEqual([undefined, { ...common, 'access-control-allow-origin': '*' }])
})

test.each([
  ['of an unknown method', { Origin: page, 'Access-Control-Request-Method': 'BREW' }],
  ['without an origin', { 'Access-Control-Request-Method': 'GET' }],
  ['without a method', { Origin: page }],
])('a preflight %s is like any other request', async (_name, headers) => {
  const { ask } = await open()
  expect((await ask('/projects/1', headers as Record<string, string>, 'OPTIONS')).status).toBe(405)
})
