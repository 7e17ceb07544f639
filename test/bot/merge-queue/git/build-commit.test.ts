// The commits of a build where the project merges without merge commits, with real git.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createOpenRepository } from '../../../../src/bot/merge-queue/git/open-repository.ts'
import type { BuildRequest } from '../../../../src/bot/merge-queue/git/repository.ts'
import { openProject, type World } from '../../../sandbox/sandbox-world.ts'

const at = 1_700_000_000
const bot = { name: 'bellhop', email: 'bellhop@example.com' }

/** A branch of two commits, and a target that moved since. */
async function open() {
  const world = await openProject()
  const workDir = join(world.folder, 'work')
  const openRepository = createOpenRepository({
    ...{ workDir, serviceUrl: `${world.url}/api/v4`, searchPath: process.env.PATH },
    ...{ token: () => 'root-token', mostBytes: 2 ** 30, authorities: '', identity: async () => bot },
  })
  const repository = await openRepository({ id: 1, path: 'root/app' })
  await world.write('one', 'a.txt', 'a')
  await world.write('one', 'b.txt', 'b')
  const { iid, sha: head }: { iid: number; sha: string } = await world.open('one', 'One')
  const ahead = await targetOf(world)
  await world.write('master', 'other.txt', 'other')
  await repository.fetchHeads([{ iid, head }])
  const onto = await targetOf(world)
  await repository.heads('master', 'bellhop/queue/')
  const git = async (...args: string[]) => (await world.git(join(workDir, '1.git'), ...args)).output.trim()
  const build = async (request: Partial<BuildRequest>) => {
    const built = await repository.build({ onto, head, message: 'Merge', at, ...request })
    if (built.is !== 'built') throw new Error('it conflicts')
    return { ...built, parents: await repository.parentsOf(built.commit) }
  }
  return { world, repository, ahead, onto, head, git, build }
}
const targetOf = async (world: World): Promise<string> =>
  (await world.get('/projects/1/repository/branches/master')).commit.id

test('its commits follow the base, by their authors and with their messages', async () => {
  const { ahead, onto, head, git, build } = await open()
  const merged = await build({})
  const { commit, tree } = await build({ method: 'ff' })
  const commits = (of: string) => git('log', '-2', '--format=%an %ae %ad %s', '--date=raw', of)
  expect([tree, await commits(commit)]).toEqual([merged.tree, await commits(head)])
  expect(await git('rev-parse', `${commit}~2`)).toBe(onto)
  expect(await git('log', '-1', '--format=%cn %ct', commit)).toBe(`${bot.name} ${at}`)
  expect((await build({ method: 'ff' })).commit).toBe(commit)
  // A head that follows the base stays the same commit.
  expect((await build({ method: 'ff', onto: ahead })).commit).toBe(head)
  expect(await build({ method: 'rebase_merge' })).toMatchObject({ tree, parents: [onto, commit] })
})

test('squashed, it is one commit by its author, with the given message', async () => {
  const { onto, head, git, build } = await open()
  const { commit, parents, tree } = await build({ method: 'ff', squash: 'One' })
  expect([parents, tree]).toEqual([[onto], (await build({})).tree])
  expect(await git('log', '-1', '--format=%B', commit)).toBe('One')
  expect(await git('log', '-1', '--format=%ae', commit)).toBe(await git('log', '-1', '--format=%ae', head))
})

test('what the base has is left out, and what conflicts with it is a conflict', async () => {
  const { world, repository, onto, head, git, build } = await open()
  const first = await git('rev-parse', `${head}^`)
  const ofFirst = await build({ method: 'ff', head: first })
  const ofBoth = await build({ method: 'ff', onto: ofFirst.commit })
  expect(await git('rev-list', '--count', `${onto}..${ofBoth.commit}`)).toBe('2')
  const request = { message: 'Merge', method: 'ff' as const, at }
  expect(await repository.build({ ...request, onto: head, head: first })).toEqual({ is: 'conflict' })
  await world.write('master', 'a.txt', 'another a')
  const { target } = await repository.heads('master', 'bellhop/queue/')
  expect(await repository.build({ ...request, onto: target?.commit ?? '', head })).toEqual({ is: 'conflict' })
})

test('an author whom git does not accept is replaced by the bot', async () => {
  const { onto, head, git, build } = await open()
  const raw = (await git('cat-file', 'commit', head)).replace(/^author .*$/m, 'author Nobody')
  const odd = await git(
    '-c',
    `alias.store=!printf '%s\\n' '${raw}' | git hash-object -t commit -w --literally --stdin`,
    'store',
  )
  expect(odd).toMatch(/^[0-9a-f]{40}$/)
  const { commit, parents } = await build({ method: 'ff', head: odd })
  expect(await git('log', '-1', '--format=%an', commit)).toBe(bot.name)
  expect(await git('rev-parse', `${parents[0]}^`)).toBe(onto)
})
