// Commits carried between repositories: forks, and merge requests from forks.
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  cloneRepository,
  fetchInto,
  fetchMirror,
  isMirrorUrl,
  keepCommit,
} from '../../../src/sandbox/git/repository.ts'
import { repositoryFolder } from '../../../src/sandbox/storage/world.ts'
import { openBareWorld } from './bare-world.ts'

describe('a commit of a fork', () => {
  test('is in the target with its history, and stays after garbage collection', async () => {
    const { world, make, commit, say, remove } = await openBareWorld()
    await make(1)
    await commit(1, 'refs/heads/master', null)
    await cloneRepository(world, 1, 2)
    const first = await commit(2, 'refs/heads/topic', await say(2, 'rev-parse', 'master'), 'first')
    const second = await commit(2, 'refs/heads/topic', first, 'second')
    await fetchInto(world, 2, 1, second, 'refs/merge-requests/1/head')
    await remove(2, 'refs/heads/topic', second)
    await say(1, 'gc', '--quiet', '--prune=now')
    expect(await say(1, 'log', '--format=%s', 'refs/merge-requests/1/head')).toBe('second\nfirst\nrefs/heads/master')
    expect(await say(1, 'for-each-ref', '--format=%(refname)', 'refs/heads')).toBe('refs/heads/master')
  })

  test('of a forced push takes the place of the one before, which stays readable', async () => {
    const { world, make, commit, say } = await openBareWorld()
    await make(1)
    await make(2)
    const before = await commit(2, 'refs/heads/topic', null, 'before')
    const after = await commit(2, 'refs/heads/topic', null, 'after')
    for (const sha of [before, after]) await fetchInto(world, 2, 1, sha, 'refs/merge-requests/1/head')
    await say(1, 'gc', '--quiet', '--prune=now')
    expect(await say(1, 'rev-parse', 'refs/merge-requests/1/head')).toBe(after)
    expect(await say(1, 'cat-file', '-t', before)).toBe('commit')
  })

  test.each(['f'.repeat(40), 'master', '--all'])('named %s is not found', async (sha) => {
    const { world, make, commit } = await openBareWorld()
    await make(1)
    await make(2)
    await commit(2, 'refs/heads/master', null)
    await expect(fetchInto(world, 2, 1, sha)).rejects.toMatchObject({ status: 404 })
  })
})

describe('the repository of a fork', () => {
  test('has branches, tags and HEAD, and no internal refs of its source', async () => {
    const { world, make, commit, say } = await openBareWorld()
    await make(1, 'trunk')
    const sha = await commit(1, 'refs/heads/trunk', null)
    await commit(1, 'refs/tags/v1', sha)
    const secret = await commit(1, 'refs/merge-requests/1/head', sha, 'secret')
    await keepCommit(world, 1, secret)
    await cloneRepository(world, 1, 2)
    expect(await say(2, 'for-each-ref', '--format=%(refname)')).toBe('refs/heads/trunk\nrefs/tags/v1')
    expect(await say(2, 'symbolic-ref', 'HEAD')).toBe('refs/heads/trunk')
    expect(await say(2, 'cat-file', '-t', secret)).toBe('')
    expect(await readdir(repositoryFolder(world, 2))).not.toContain('hooks')
  })
})

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
