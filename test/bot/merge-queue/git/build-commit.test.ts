// The commits of a build, and its content, whatever a merge request's commits are: what the service shows, or nothing.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildCommit } from '../../../../src/bot/merge-queue/git/build-commit.ts'
import type { BuildRequest } from '../../../../src/bot/merge-queue/git/repository.ts'
import { type GitOptions, runGit } from '../../../../src/bot/merge-queue/git/run-git.ts'

let directory: string
const searchPath = process.env.PATH
const git = (args: readonly string[], given?: GitOptions) => runGit(args, { directory, searchPath, ...given })
const line = async (args: readonly string[], given?: GitOptions) => (await git(args, given)).stdout.trim()
const identity = { name: 'alice', email: 'alice@example.com' }
const bot = async () => ({ name: 'bellhop', email: 'bellhop@example.com' })

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'build-content-'))
  await git(['init', '--quiet', '--bare', '--template=', '--', directory])
})
afterAll(() => rm(directory, { recursive: true, force: true }))

/** The content of each file by its name, after its mode unless it is an ordinary file. */
type Files = Record<string, string>

let next = 1_700_000_000
/** Each is later than those before it, as git chooses among merge bases by time. */
async function commit(files: Files, ...parents: string[]): Promise<string> {
  const entries = Object.entries(files).map(async ([name, text]) => {
    const [, mode = '100644', input = ''] = /^(?:(1\d{5}) )?(.*)$/s.exec(text) ?? []
    if (mode === '160000') return `${mode} commit ${input}\t${name}\n`
    return `${mode} blob ${await line(['hash-object', '-w', '--stdin'], { input })}\t${name}\n`
  })
  const tree = await line(['mktree'], { input: (await Promise.all(entries)).join('') })
  const parent = parents.flatMap((each) => ['-p', each])
  return line(['commit-tree', tree, ...parent, '-m', 'Change'], { identity: { ...identity, at: next++ } })
}

/** The names and contents of what was built; why nothing was, where it was not. */
async function build(request: Pick<BuildRequest, 'onto' | 'head'> & Partial<BuildRequest>): Promise<Files | string> {
  const built = await buildCommit(git, bot, { message: 'Merge', method: 'ff', at: 0, ...request })
  if (built.is !== 'built') return built.is
  expect(await line(['rev-parse', `${built.commit}^{tree}`])).toBe(built.tree)
  return filesOf(built.commit)
}

const builtOf = async (request: Pick<BuildRequest, 'onto' | 'head'> & Partial<BuildRequest>) => {
  const built = await buildCommit(git, bot, { message: 'Merge', method: 'ff', at: 1_700_000_000, ...request })
  if (built.is !== 'built') throw new Error('it conflicts')
  return built
}
const logOf = (commit: string, format: string, count = 1) =>
  line(['log', `-${count}`, `--format=${format}`, '--date=raw', commit])

async function filesOf(commit: string): Promise<Files> {
  const lines = (await line(['ls-tree', commit])).split('\n')
  const files = lines.map(async (each): Promise<[string, string]> => {
    const [, mode = '', object = '', name = ''] = /^(\d+) \w+ (\w+)\t(.+)$/.exec(each) ?? []
    const content = mode === '160000' ? object : await line(['cat-file', 'blob', object])
    return [name, mode === '100644' ? content : `${mode} ${content}`]
  })
  return Object.fromEntries(await Promise.all(files))
}

const base = { '.bellhop.yml': 'rules', 'other.txt': 'other' }
const shown = { ...base, 'a.md': 'a' }

describe('the commits of a build', () => {
  /** A head of two commits, and a target that moved since. */
  async function makeBehind() {
    const start = await commit(base)
    const first = await commit(shown, start)
    const head = await commit({ ...shown, 'b.md': 'b' }, first)
    return { start, first, head, onto: await commit({ ...base, 'more.txt': 'more' }, start) }
  }

  test('follow the base, by their authors and with their messages', async () => {
    const { start, head, onto } = await makeBehind()
    const merged = await builtOf({ onto, head, method: 'merge' })
    const { commit: last, tree } = await builtOf({ onto, head })
    const commits = (of: string) => logOf(of, '%an %ae %ad %s', 2)
    expect([tree, await commits(last)]).toEqual([merged.tree, await commits(head)])
    expect(await line(['rev-parse', `${last}~2`])).toBe(onto)
    expect(await logOf(last, '%cn %ct')).toBe('bellhop 1700000000')
    expect((await builtOf({ onto, head })).commit).toBe(last)
    // A head that follows the base stays the same commit.
    expect((await builtOf({ onto: start, head })).commit).toBe(head)
    const rebasedAndMerged = await builtOf({ onto, head, method: 'rebase_merge' })
    expect([rebasedAndMerged.tree, await logOf(rebasedAndMerged.commit, '%P')]).toEqual([tree, `${onto} ${last}`])
  })

  test('are one by its author, with the given message, where they are squashed', async () => {
    const { head, onto } = await makeBehind()
    const { commit: only, tree } = await builtOf({ onto, head, squash: 'One' })
    expect(await logOf(only, '%P %an %B')).toBe(`${onto} alice One`)
    expect(tree).toBe((await builtOf({ onto, head, method: 'merge' })).tree)
  })

  test('lack what the base has, and are none where they conflict with it', async () => {
    const { first, head, onto } = await makeBehind()
    const ofFirst = await builtOf({ onto, head: first })
    const ofBoth = await builtOf({ onto: ofFirst.commit, head })
    expect(await line(['rev-list', '--count', `${onto}..${ofBoth.commit}`])).toBe('2')
    expect(await build({ onto: head, head: first })).toBe('conflict')
    expect(await build({ onto: await commit({ ...base, 'a.md': 'another' }, onto), head })).toBe('conflict')
  })

  test('have the bot for an author whom git does not accept', async () => {
    const { head, onto } = await makeBehind()
    const raw = (await git(['cat-file', 'commit', head])).stdout.replace(/^author .*$/m, 'author Nobody')
    const odd = await line(['hash-object', '-t', 'commit', '-w', '--literally', '--stdin'], { input: raw })
    expect(await logOf((await builtOf({ onto, head: odd })).commit, '%an')).toBe('bellhop')
  })
})

describe('what a commit changes and a merge commit takes back', () => {
  const submodule = `160000 ${'a'.repeat(40)}`
  test.each<[string, Files]>([
    ['a new file', { 'evil.js': 'evil' }],
    ['another rule file', { '.bellhop.yml': 'evil' }],
    ['an emptied file', { 'other.txt': '' }],
    ['a mode', { 'other.txt': '100755 other' }],
    ['a symbolic link', { 'other.txt': '120000 /etc/passwd' }],
    ['a submodule', { vendor: submodule }],
  ])('%s: the build holds what is shown, as one commit, or is none', async (_case, hidden) => {
    const start = await commit(base)
    const side = await commit(base, start)
    const head = await commit(shown, await commit({ ...shown, ...hidden }, start), side)
    const onto = await commit({ ...base, 'more.txt': 'more' }, start)
    for (const [method, on] of [
      ['ff', start],
      ['rebase_merge', onto],
    ] as const) {
      expect(await build({ onto: on, head, method })).toBe('differs')
      const squashed = await build({ onto: on, head, method, squash: 'Write' })
      expect(squashed).toEqual({ ...(await filesOf(on)), 'a.md': 'a' })
    }
  })

  test('also where it merges more than two', async () => {
    const start = await commit(base)
    const evil = await commit({ ...shown, 'evil.js': 'evil' }, start)
    const head = await commit(shown, evil, await commit(base, start), await commit(base, start))
    expect(await build({ onto: start, head })).toBe('differs')
  })

  test('also where the merge is followed by commits', async () => {
    const start = await commit(base)
    const merge = await commit(base, await commit({ ...base, 'evil.js': 'evil' }, start), await commit(base, start))
    expect(await build({ onto: start, head: await commit(shown, merge) })).toBe('differs')
  })
})

test('what only a merge commit changes is shown, and does not get lost', async () => {
  const start = await commit(base)
  const onto = await commit({ ...base, 'more.txt': 'more' }, start)
  const head = await commit({ ...shown, 'more.txt': 'more' }, start, onto)
  expect(await build({ onto, head })).toBe('differs')
  expect(await build({ onto, head, squash: 'Write' })).toEqual({ ...shown, 'more.txt': 'more' })
})

test('a conflict that a merge of the target solved is none any more, but its commits one by one still have it', async () => {
  const start = await commit(base)
  const onto = await commit({ ...base, 'other.txt': 'by the target' }, start)
  const solved = { ...base, 'other.txt': 'by both' }
  const head = await commit(solved, await commit({ ...base, 'other.txt': 'by the branch' }, start), onto)
  expect([await build({ onto, head }), await build({ onto, head, squash: 'Write' })]).toEqual(['differs', solved])
  expect(await build({ onto, head, method: 'merge' })).toEqual(solved)
})

test('what was added and taken back does not take it from the target, which has it by now', async () => {
  const start = await commit(base)
  const head = await commit(shown, await commit({ ...shown, 'check.js': 'check' }, start))
  const onto = await commit({ ...base, 'check.js': 'check' }, start)
  expect(await build({ onto, head })).toBe('differs')
  expect(await build({ onto, head, squash: 'Write' })).toEqual({ ...shown, 'check.js': 'check' })
})

test('a merge of the target without a change of its own is left out', async () => {
  const start = await commit(base)
  const onto = await commit({ ...base, 'more.txt': 'more' }, start)
  const head = await commit({ ...shown, 'more.txt': 'more' }, await commit(shown, start), onto)
  expect(await build({ onto, head })).toEqual({ ...shown, 'more.txt': 'more' })
})

describe('git merges what no diff shows', () => {
  test.each(['ff', 'merge'] as const)(
    '%s: a fix of another branch is not taken back by one on top of it',
    async (method) => {
      const start = await commit(base)
      const fix = await commit({ ...base, 'other.txt': 'fixed' }, start)
      const head = await commit(shown, fix)
      const built = await buildCommit(git, bot, { onto: start, head: fix, message: 'Merge', method, at: 0 })
      const onto = built.is === 'built' ? built.commit : ''
      // Compared with the target, it changes a document; compared with the fix, it takes that back too.
      expect(await build({ onto: start, head, method })).toEqual(shown)
      expect(await build({ onto, head, target: start, method })).toBe('conflict')
      // The service shows that once the fix has landed.
      expect(await build({ onto, head, target: onto, method })).toEqual(shown)
    },
  )

  test('what is on top of another branch, and takes nothing of it back, is built on that', async () => {
    const start = await commit(base)
    const onto = await commit({ ...base, 'other.txt': 'fixed' }, start)
    const head = await commit({ ...shown, 'other.txt': 'fixed' }, onto)
    expect(await build({ onto, head, target: start })).toEqual({ ...shown, 'other.txt': 'fixed' })
  })

  test('where both merged each other: the first merge base alone shows another change than git merges', async () => {
    const start = await commit(base)
    const ours = await commit({ ...base, 'other.txt': 'fixed' }, start)
    const theirs = await commit({ ...base, 'more.txt': 'more' }, start)
    const onto = await commit({ ...base, 'other.txt': 'fixed', 'more.txt': 'more' }, ours, theirs)
    const head = await commit({ ...shown, 'more.txt': 'more' }, theirs, ours)
    expect((await line(['merge-base', '--all', onto, head])).split('\n')).toEqual([theirs, ours])
    expect(await build({ onto, head, method: 'merge' })).toBe('conflict')
  })
})

test('what only a member in front has a history with, and the target none, is a conflict', async () => {
  const foreign = await commit({ 'root.txt': 'root' })
  const start = await commit(base)
  const onto = await commit({ ...base, 'root.txt': 'root' }, start, foreign)
  const head = await commit({ 'root.txt': 'root', 'a.md': 'a' }, foreign)
  expect(await build({ onto, head, target: start, method: 'merge' })).toBe('conflict')
})

test('of more than 1,000 commits, none is brought over by itself', async () => {
  const start = await commit(base)
  const import_ = Array.from({ length: 1_001 }, (_, index) => {
    const name = `commit refs/heads/many\ncommitter a <a@example.com> ${index} +0000\ndata 1\nx\n`
    return `${name}${index === 0 ? `from ${start}\n` : ''}M 100644 inline f\ndata <<E\n${index}\nE\n`
  })
  await git(['fast-import', '--quiet'], { input: import_.join('') })
  const head = await line(['rev-parse', 'refs/heads/many'])
  expect(await build({ onto: start, head })).toBe('differs')
  expect(await build({ onto: start, head, squash: 'All' })).toEqual({ ...base, f: '1000' })
})
