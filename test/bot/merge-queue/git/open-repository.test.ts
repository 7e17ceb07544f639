// The cache of a project's repository, with real git and the sandbox over HTTP.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createGitIdentity } from '../../../../src/bot/merge-queue/git/open-repository.ts'
import type { QueueRepository } from '../../../../src/bot/merge-queue/git/repository.ts'
import { GitError } from '../../../../src/bot/merge-queue/git/run-git.ts'
import { openProject, type World } from '../../../sandbox/sandbox-world.ts'
import { opener, propose, unknownCommit } from './git-world.ts'

/** A project of root, and its repository as a worker opens it. */
async function openQueueProject() {
  const world = await openProject()
  const { open: again, cache } = opener(world, { serviceUrl: `${world.url}/api/v4` })
  /** As another worker opens it. */
  const elsewhere = () => opener(world, { workDir: join(world.folder, 'other-work') }).open()
  return { world, repository: await again(), again, elsewhere, cache }
}

const head = async (world: World, branch: string): Promise<string> =>
  (await world.get(`/projects/1/repository/branches/${encodeURIComponent(branch)}`)).commit.id

async function build(repository: QueueRepository, onto: string, head: string) {
  const built = await repository.build({ onto, head, message: 'Merge', at: 1_700_000_000 })
  if (built.is !== 'built') throw new Error('it conflicts')
  return built
}

describe('reading', () => {
  test('gives the target with its tree, and the branches of the queue', async () => {
    const { world, repository } = await openQueueProject()
    await world.write('bellhop/queue/main/1', 'a.txt', 'a')
    await world.write('bellhop/queue/main2/1', 'b.txt', 'b')
    const { target, branches } = await repository.heads('master', 'bellhop/queue/main/')
    expect(target?.commit).toBe(await head(world, 'master'))
    expect(target?.tree).toMatch(/^[0-9a-f]{40}$/)
    expect([...branches]).toEqual([['bellhop/queue/main/1', await head(world, 'bellhop/queue/main/1')]])
  })

  test('names the branch below which git makes none', async () => {
    const { world, repository } = await openQueueProject()
    const inTheWayOf = async (prefix: string) => (await repository.heads('master', prefix)).inTheWay
    const prefix = 'bellhop/queue/main/release/1.0/'
    expect(await inTheWayOf(prefix)).toBeUndefined()
    for (const name of ['bellhop/queue/main/release', 'bellhop']) {
      await world.write(name, 'a.txt', 'a')
      expect(await inTheWayOf(prefix)).toBe(name)
      expect(await inTheWayOf('bellhop/queues/')).toBe(name === 'bellhop' ? name : undefined)
      await world.delete(`/projects/1/repository/branches/${encodeURIComponent(name)}`)
    }
  })

  test('gives nothing of what does not exist, and refuses a branch that could be another argument', async () => {
    const { repository } = await openQueueProject()
    expect((await repository.heads('none', 'bellhop/queue/main/')).target).toBeUndefined()
    expect(await repository.headOf('none')).toBeUndefined()
    expect(await repository.treeOf(unknownCommit)).toBeUndefined()
    for (const branch of ['--upload-pack=touch', 'a b', 'a:b', 'a..b', ''])
      await expect(repository.headOf(branch)).rejects.toThrow(GitError)
  })

  test('fetches the heads of merge requests, and leaves out what is none', async () => {
    const { world, repository } = await openQueueProject()
    const one = await propose(world, 'one', 'one.txt')
    const wanted = [one, { iid: one.iid, head: unknownCommit }]
    expect([...(await repository.fetchHeads(wanted))]).toEqual([[one.head, 'there']])
  })
})

describe('building', () => {
  test('goes on where another worker built: on its commit, with the same result, and lands it', async () => {
    const { world, repository, elsewhere } = await openQueueProject()
    const [one, two] = [await propose(world, 'one', 'one.txt'), await propose(world, 'two', 'two.txt')]
    const { target } = await repository.heads('master', 'bellhop/queue/main/')
    await repository.fetchHeads([one, two])
    const first = await build(repository, target?.commit ?? '', one.head)
    await repository.pushBranches([{ branch: 'bellhop/queue/main/1', commit: first.commit }])

    const other = await elsewhere()
    expect(await other.isAncestor(first.commit, target?.commit ?? '')).toBe(false)
    await other.heads('master', 'bellhop/queue/main/')
    await other.fetchBranches([{ branch: 'bellhop/queue/main/1', commit: first.commit }])
    await other.fetchHeads([two])
    expect(await build(other, first.commit, two.head)).toEqual(await build(repository, first.commit, two.head))
    expect(await other.pushTarget('master', first.commit, target?.commit ?? '')).toBe('landed')
  })

  test('merges a head, the same commit each time, and says where it conflicts with what is before it', async () => {
    const { world, repository } = await openQueueProject()
    const one = await propose(world, 'one', 'same.txt', 'one')
    const two = await propose(world, 'two', 'same.txt', 'two')
    await repository.fetchHeads([one, two])
    const { target } = await repository.heads('master', 'bellhop/queue/main/')
    const built = await build(repository, target?.commit ?? '', one.head)
    expect(await build(repository, target?.commit ?? '', one.head)).toEqual(built)
    expect(await repository.parentsOf(built.commit)).toEqual([target?.commit, one.head])
    expect(await repository.treeOf(built.commit)).toBe(built.tree)
    expect(await repository.isAncestor(one.head, built.commit)).toBe(true)
    expect(await repository.isAncestor(built.commit, one.head)).toBe(false)
    expect(await repository.build({ onto: built.commit, head: two.head, message: 'Merge', at: 0 })).toEqual({
      is: 'conflict',
    })
  })
})

describe('pushing', () => {
  async function withBuild() {
    const opened = await openQueueProject()
    const { world, repository } = opened
    const one = await propose(world, 'one', 'one.txt')
    await repository.fetchHeads([one])
    const { target } = await repository.heads('master', 'bellhop/queue/main/')
    const from = target?.commit ?? ''
    return { ...opened, one, from, built: await build(repository, from, one.head) }
  }

  test('makes a branch, once more the same, and never another one in its place', async () => {
    const { world, repository, built, one } = await withBuild()
    const branch = 'bellhop/queue/main/1'
    expect(await repository.pushBranches([{ branch: branch, commit: built.commit }])).toEqual(['pushed'])
    expect(await repository.pushBranches([{ branch: branch, commit: built.commit }])).toEqual(['pushed'])
    expect(await repository.pushBranches([{ branch: branch, commit: one.head }])).toEqual(['taken'])
    expect(await head(world, branch)).toBe(built.commit)
  })

  test('makes none below another branch, which is an error and no branch that somebody took', async () => {
    const { world, repository, built } = await withBuild()
    await world.write('bellhop', 'a.txt', 'a')
    await expect(repository.pushBranches([{ branch: 'bellhop/queue/main/1', commit: built.commit }])).rejects.toThrow(
      'was not made',
    )
  })

  test('moves the target from the expected commit, and from no other', async () => {
    const { world, repository, built, from } = await withBuild()
    await world.write('master', 'other.txt', 'other')
    expect(await repository.pushTarget('master', built.commit, from)).toBe('moved')
    const moved = await head(world, 'master')
    expect(moved).not.toBe(built.commit)
    const { target } = await repository.heads('master', 'bellhop/queue/main/')
    const next = await build(repository, target?.commit ?? '', built.commit)
    expect(await repository.pushTarget('master', next.commit, moved)).toBe('landed')
    // Git would rewrite the target to what it was.
    await expect(repository.pushTarget('master', moved, next.commit)).rejects.toThrow(GitError)
    expect(await head(world, 'master')).toBe(next.commit)
  })

  test('is refused where the service lets nobody push', async () => {
    const { world, repository, built, from } = await withBuild()
    await world.call('DELETE', '/projects/1/protected_branches/master')
    await world.post('/projects/1/protected_branches', { name: 'master', push_access_level: 0 })
    await world.call('PUT', '/projects/1', {})
    expect(await repository.pushTarget('master', built.commit, from)).toEqual({
      is: 'refused',
      words: 'You are not allowed to push code to protected branches on this project',
    })
    expect(await head(world, 'master')).toBe(from)
  })

  test('makes a branch and deletes others in one push, and makes it also where none may be deleted', async () => {
    const { world, repository, built, one } = await withBuild()
    const [first, second, third] = [1, 2, 3].map((number) => `bellhop/queue/main/${number}`) as [string, string, string]
    const branches = async () => [...(await repository.heads('master', 'bellhop/queue/main/')).branches.keys()]
    await repository.pushBranches([{ branch: first, commit: built.commit }])
    const moved = { branch: 'bellhop/queue/main/4', commit: one.head }
    expect(
      await repository.pushBranches(
        [{ branch: second, commit: built.commit }],
        [{ branch: first, commit: built.commit }, moved],
      ),
    ).toEqual(['pushed'])
    expect(await branches()).toEqual([second])
    await world.post('/projects/1/protected_branches', { name: second })
    expect(
      await repository.pushBranches(
        [{ branch: third, commit: built.commit }],
        [{ branch: second, commit: built.commit }],
      ),
    ).toEqual(['pushed'])
    expect(await branches()).toEqual([second, third])
  })

  test('makes several in one push; where the service refuses one, that alone is refused', async () => {
    const { world, repository, built, one } = await withBuild()
    const [first, second, third] = [1, 2, 3].map((number) => `bellhop/queue/main/${number}`) as [string, string, string]
    const made = [first, second, third].map((branch) => ({ branch, commit: built.commit }))
    await repository.pushBranches([{ branch: second, commit: one.head }])
    await world.post('/projects/1/protected_branches', { name: third, push_access_level: 0 })
    expect(await repository.pushBranches(made)).toEqual([
      'pushed',
      'taken',
      { is: 'refused', words: expect.stringContaining('protected') },
    ])
  })

  test('deletes several in one push, without the one that somebody pushed to', async () => {
    const { world, repository, built } = await withBuild()
    const names = [1, 2, 3].map((number) => `bellhop/queue/main/${number}`)
    for (const name of names) await repository.pushBranches([{ branch: name, commit: built.commit }])
    await world.write('bellhop/queue/main/2', 'more.txt', 'more')
    const all = names.map((branch) => ({ branch, commit: built.commit }))
    await repository.deleteBranches([...all, { branch: 'bellhop/queue/main/4', commit: built.commit }])
    expect([...(await repository.heads('master', 'bellhop/queue/main/')).branches.keys()]).toEqual([names[1]])
  })
})

describe('the cache', () => {
  test('is made anew where it is broken', async () => {
    const { world, again, cache } = await openQueueProject()
    await writeFile(join(cache, 'HEAD'), '')
    const { target } = await (await again()).heads('master', 'bellhop/queue/main/')
    expect(target?.commit).toBe(await head(world, 'master'))
  })

  test('has the token in no file, and is readable by nobody else', async () => {
    const { repository, cache } = await openQueueProject()
    await repository.heads('master', 'bellhop/queue/main/')
    const files = (await readdir(cache, { recursive: true, withFileTypes: true })).filter((each) => each.isFile())
    for (const file of files)
      expect(await readFile(join(file.parentPath, file.name), 'latin1'), file.name).not.toContain('root-token')
    expect((await stat(cache)).mode & 0o077).toBe(0)
  })
})

test.each([
  [{ commitEmail: 'bot@team.example' }, 'bot@team.example'],
  [{}, 'bellhop@users.noreply.code.example'],
])('commits have the address that the bot chose, or one that names it', async (more, email) => {
  const identity = createGitIdentity(
    async () => ({ id: 1, username: 'bellhop', ...more }),
    'https://code.example/api/v4',
  )
  expect(await identity()).toEqual({ name: 'bellhop', email })
})
