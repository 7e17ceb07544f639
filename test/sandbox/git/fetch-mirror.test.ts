// Fetching from elsewhere: by HTTP alone, without prompts, and without telling passwords.
import { createServer } from 'node:http'
import { expect, onTestFinished, test } from 'vitest'
import { fetchMirror, isMirrorUrl } from '../../../src/sandbox/git/fetch-mirror.ts'
import { openBareWorld } from './bare-world.ts'

test('a server that never answers is given up', async () => {
  const here = await openBareWorld()
  await here.make(1)
  const server = createServer(() => undefined)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as { port: number }
  expect(await fetchMirror(here.world, 1, `http://127.0.0.1:${port}/a.git`, 300)).toBe(
    'The repository did not arrive within 1 seconds',
  )
})

test.each([
  'file:///etc',
  'ext::sh -c true',
  'ssh://git@host/a.git',
  'git@host:a.git',
  '/tmp/repository',
  '--upload-pack=touch /tmp/x',
  'http://',
  'http://host/a\nb',
  'httpx://host/a',
  '',
])('%j is not fetched from', async (url) => {
  expect(isMirrorUrl(url)).toBe(false)
  const here = await openBareWorld()
  await here.make(1)
  expect(await fetchMirror(here.world, 1, url)).toBe('Import URL is blocked: Only allowed schemes are http, https')
})
