// The git program itself as a client: clone, fetch and push, and what it tells its user when it is turned away.
import { openProject, test, type World } from '../sandbox/sandbox-world.ts'

const head = async (world: World, branch: string) =>
  (await world.done('GET', `/projects/1/repository/branches/${branch}`)).commit.id

describe('clone and push', () => {
  test('what is pushed is what the API and the next clone have', async ({ withProject: world }) => {
    const clone = await world.cloneOverHttp('root/app')
    const sha = await world.commit(clone, 'a file.txt', 'text')
    await world.git(clone, 'tag', '-a', '-m', 'one', 'v1')
    const pushed = await world.git(clone, 'push', '--follow-tags', 'origin', 'master', 'HEAD:refs/heads/topic/one')
    expect(pushed.code, pushed.output).toBe(0)
    expect([await head(world, 'master'), await head(world, 'topic%2Fone')]).toEqual([sha, sha])
    expect((await world.done('GET', '/projects/1/repository/tags/v1')).commit.id).toBe(sha)
    const second = await world.cloneOverHttp('root/app')
    expect((await world.git(second, 'ls-files')).output).toBe('README.md\na file.txt\n')
    expect((await world.git(second, 'fsck', '--full', '--strict')).output).toBe('')
  })

  test('a branch can be forced, and removed', async ({ withProject: world }) => {
    const clone = await world.cloneOverHttp('root/app')
    await world.commit(clone, 'a.txt', 'a')
    await world.git(clone, 'push', '--quiet', 'origin', 'HEAD:topic')
    await world.git(clone, 'commit', '--quiet', '--amend', '-m', 'Other')
    expect((await world.git(clone, 'push', 'origin', 'HEAD:topic')).output).toContain('[rejected]')
    expect((await world.git(clone, 'push', '--force-with-lease', 'origin', 'HEAD:topic')).code).toBe(0)
    expect((await world.git(clone, 'push', 'origin', ':topic')).code).toBe(0)
    expect((await world.call('GET', '/projects/1/repository/branches/topic')).status).toBe(404)
  })

  test.each([['--depth=1'], ['--filter=blob:none'], ['--single-branch']])(
    'a clone with %s works, and can be pushed from',
    async (option) => {
      const world = await openProject()
      await world.write('master', 'b.txt', 'b')
      const where = `${world.folder}/partial`
      const url = world.remote('root/app', 'root-token')
      const cloned = await world.git(world.folder, 'clone', '--quiet', option, url, where)
      expect(cloned.code, cloned.output).toBe(0)
      if (option === '--depth=1')
        expect((await world.git(where, 'rev-list', '--count', 'HEAD')).output.trim()).toBe('1')
      const sha = await world.commit(where, 'c.txt', 'c')
      const pushed = await world.git(where, 'push', 'origin', 'HEAD:partial')
      expect(pushed.code, pushed.output).toBe(0)
      expect(await head(world, 'partial')).toBe(sha)
    },
  )
})

describe('fetch', () => {
  test('brings a merge that the API made, with both its parents', async ({ world }) => {
    const { sha } = await world.mergeRequest()
    const clone = await world.cloneOverHttp('root/app')
    const before = (await world.git(clone, 'rev-parse', 'master')).output.trim()
    await world.done('PUT', '/projects/1/merge_requests/1/merge', { should_remove_source_branch: true })
    const fetched = await world.git(clone, 'fetch', '--prune', 'origin')
    expect(fetched.code, fetched.output).toBe(0)
    expect((await world.git(clone, 'log', '-1', '--format=%P', 'origin/master')).output.trim()).toBe(`${before} ${sha}`)
    expect((await world.git(clone, 'branch', '--remotes', '--format=%(refname:short)')).output).not.toContain('feature')
    expect((await world.git(clone, 'show', 'origin/master:feature.txt')).output).toBe('new\n')
  })

  test('of a single commit works, also after its branch is gone', async ({ world }) => {
    const { sha } = await world.mergeRequest()
    await world.call('DELETE', '/projects/1/repository/branches/feature')
    const clone = await world.cloneOverHttp('root/app')
    expect((await world.git(clone, 'fetch', 'origin', sha)).code).toBe(0)
  })
})

describe('turned away, git says why', () => {
  test('a push to an archived project, which can still be cloned', async ({ withProject: world }) => {
    await world.done('POST', '/projects/1/archive')
    const clone = await world.cloneOverHttp('root/app')
    await world.commit(clone, 'a.txt', 'a')
    const refused = await world.git(clone, 'push', 'origin', 'HEAD:topic')
    expect(refused.code).toBe(128)
    expect(refused.output).toContain('remote: This project is archived: it can be read, but not pushed to.')
    await world.done('POST', '/projects/1/unarchive')
    expect((await world.git(clone, 'push', 'origin', 'HEAD:topic')).code).toBe(0)
  })

  test('a push of a reporter', async ({ withProject: world }) => {
    const ann = await world.member('ann', 20)
    const clone = await world.cloneOverHttp('root/app', ann.token)
    await world.commit(clone, 'a.txt', 'a')
    const refused = await world.git(clone, 'push', 'origin', 'HEAD:topic')
    expect(refused.code).toBe(128)
    expect(refused.output).toContain('remote: You are not allowed to push code to this project.')
  })

  test.each([
    ['a project that does not exist', 'root/none'],
    ['a path with tricks', '..%2f..%2f1'],
    ['a repository by its number', '1'],
  ])('%s', async (_, path) => {
    const world = await openProject()
    const refused = await world.git(world.folder, 'clone', world.remote(path, 'root-token'), 'never')
    expect(refused.code).toBe(128)
    expect(refused.output).toContain('The project you were looking for could not be found.')
  })

  test('a push to what the service keeps for itself', async ({ world }) => {
    const { sha } = await world.mergeRequest()
    const clone = await world.cloneOverHttp('root/app')
    const refs = ['HEAD:refs/merge-requests/1/head', `HEAD:refs/keep-around/${sha}`]
    const pushed = await world.git(clone, 'push', 'origin', ...refs)
    expect(pushed.output.match(/deny updating a hidden ref/g)).toHaveLength(2)
  })
})
