// Fetching from elsewhere: by HTTP alone, without prompts, and without telling passwords.
import { createServer } from 'node:http'
import { fetchMirror, isMirrorUrl } from '../../../src/sandbox/git/repository.ts'
import { openWorld, serve } from '../sandbox-world.ts'
import { openBareWorld } from './bare-world.ts'

/** A project with branches and a tag to fetch from, and an empty repository to fetch into. */
async function upstream() {
  const there = await openWorld()
  await there.prepare('upstream with a folder', async (own) => {
    await own.project()
    return own.write('feature/one', 'a.txt', 'a')
  })
  const here = await openBareWorld()
  await here.make(1, 'main')
  return { there, here, url: there.remote('root/app', 'root-token') }
}

test('a private project without a password is refused without a prompt', async () => {
  const { there, here } = await upstream()
  expect(await fetchMirror(here.world, 1, there.remote('root/app', null))).toMatch(
    /could not read Username|Authentication failed|terminal prompts disabled/,
  )
})

test('a server that never answers is given up', async () => {
  const { here } = await upstream()
  const url = await serve(createServer(() => undefined))
  expect(await fetchMirror(here.world, 1, `${url}/a.git`, 300)).toBe('The repository did not arrive within 1 seconds')
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
