// Fetching from elsewhere: by HTTP alone, without prompts, and without telling passwords.
import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { fetchMirror, isMirrorUrl, withoutSecrets } from '../../../src/sandbox/git/fetch-mirror.ts'
import { openWorld } from '../sandbox-world.ts'
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

describe('the fetch', () => {
  test('is every branch and tag, and HEAD where nothing was before', async () => {
    const { there, here, url } = await upstream()
    const clone = await there.clone('root/app')
    await there.git(clone, 'tag', '-a', '-m', 'one', 'v1')
    await there.git(clone, 'push', '--quiet', 'origin', 'v1')
    expect(await fetchMirror(here.world, 1, url)).toBeNull()
    expect(await here.say(1, 'for-each-ref', '--format=%(refname)')).toBe(
      'refs/heads/feature/one\nrefs/heads/master\nrefs/tags/v1',
    )
    expect(await here.say(1, 'symbolic-ref', 'HEAD')).toBe('refs/heads/master')
  })

  test('the second time is only new commits; a diverged branch stays and is named', async () => {
    const { there, here, url } = await upstream()
    await fetchMirror(here.world, 1, url)
    const own = await here.commit(1, 'refs/heads/feature/one', null, 'own')
    const old = await there.write('feature/one', 'b.txt', 'b')
    const fresh = await there.write('master', 'c.txt', 'c')
    expect(await fetchMirror(here.world, 1, url)).toBe(
      'These have diverged from their upstream counterparts and were left alone: feature/one',
    )
    expect(await here.say(1, 'rev-parse', 'feature/one')).toBe(own)
    expect(await here.say(1, 'rev-parse', 'master')).toBe(fresh.id)
    expect(old.id).not.toBe(own)
  })

  test('of an empty project is nothing, without an error', async () => {
    const { there, here } = await upstream()
    await there.post('/projects', { name: 'empty' })
    expect(await fetchMirror(here.world, 1, there.remote('root/empty', 'root-token'))).toBeNull()
    expect(await here.say(1, 'for-each-ref')).toBe('')
  })
})

describe('errors', () => {
  test('the error for a wrong password does not contain it', async () => {
    const { there, here } = await upstream()
    const said = await fetchMirror(here.world, 1, there.remote('root/app', 's3cret%2Fword'))
    expect(said).toMatch(/Authentication failed|Access denied/)
    expect(said).not.toMatch(/s3cret|any:/)
  })

  test('a private project without a password is refused without a prompt', async () => {
    const { there, here } = await upstream()
    expect(await fetchMirror(here.world, 1, there.remote('root/app', null))).toMatch(
      /could not read Username|Authentication failed|terminal prompts disabled/,
    )
  })

  test('a server that never answers is given up', async () => {
    const { here } = await upstream()
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
})

test.each([
  [
    'http://ann:p%40ss@host/a',
    "fatal: unable to access 'http://ann:p%40ss@host/a/': p@ss is wrong",
    "fatal: unable to access 'http://*****@host/a/': ***** is wrong",
  ],
  [
    'https://token@host/a',
    "could not read Password for 'https://token@host'",
    "could not read Password for 'https://*****@host'",
  ],
  ['https://ann:a@b@host/', 'https://ann:a@b@host/ a@b', 'https://*****@host/ *****'],
  ['https://host/a', "unable to access 'https://host/a/'", "unable to access 'https://host/a/'"],
])('of %s the text %j keeps %j', (url, text, kept) => {
  expect(withoutSecrets(text, url)).toBe(kept)
})
