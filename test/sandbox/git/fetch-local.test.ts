// Commits carried between repositories: forks, and merge requests from forks.
import { readdir } from 'node:fs/promises'
import { cloneRepository, fetchInto, keepCommit } from '../../../src/sandbox/git/repository.ts'
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

  test('does not need its source any more', async () => {
    const { world, make, commit, say, remove } = await openBareWorld()
    await make(1)
    const sha = await commit(1, 'refs/heads/master', null)
    await cloneRepository(world, 1, 2)
    await remove(1, 'refs/heads/master', sha)
    await say(1, 'gc', '--quiet', '--prune=now')
    expect(await say(2, 'log', '--format=%s', 'master')).toBe('refs/heads/master')
  })
})
