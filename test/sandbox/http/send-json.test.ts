// The content type of every JSON response is GitLab's.
import { expect, test } from 'vitest'
import { openWorld } from '../sandbox-world.ts'

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
