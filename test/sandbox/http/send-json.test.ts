// The content type of every JSON response is GitLab's.
import { expect } from 'vitest'
import { openWorld, test } from '../sandbox-world.ts'

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
