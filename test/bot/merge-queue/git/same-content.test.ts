// Whether a rebase kept the content: real git, and the sandbox over HTTP.
import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Rebase } from '../../../../src/bot/evaluation/branch-history.ts'
import { createCompareContent } from '../../../../src/bot/merge-queue/git/compare-content.ts'
import { GitError } from '../../../../src/bot/merge-queue/git/run-git.ts'
import { GitMissing } from '../../../../src/git/start-git.ts'
import { eachCase, openProject } from '../../../sandbox/sandbox-world.ts'
import { silent } from '../../stores.ts'
import { opener, project } from './git-world.ts'

/** The content by name, with a mode if it is not the usual one. */
type Files = Record<string, string | { mode: string; text: string }>

const python = (indentation: string) => `def f():\n    if x:\n        a()\n${indentation}b()\n\ndef g():\n    log()\n`
const first: Files = {
  'a.py': python('        '),
  'old.txt': 'old\n'.repeat(20),
  'run.sh': 'run\n',
  'logo.png': '\0one',
}
const moved: Files = { ...first, 'other.txt': 'of the target\n' }

/** A branch that began before the target moved. */
async function openBehind(mostBytes = 2 ** 30) {
  const world = await openProject()
  const git = (args: string[], input = '') => world.sandbox.within(({ git: inside }) => inside.line(1, args, { input }))
  async function commit(files: Files, ...parents: string[]): Promise<string> {
    const entries = Object.entries(files).map(async ([path, file]) => {
      const { mode, text } = typeof file === 'string' ? { mode: '100644', text: file } : file
      return `${mode} blob ${await git(['hash-object', '-w', '--stdin'], text)}\t${path}\n`
    })
    const tree = await git(['mktree'], (await Promise.all(entries)).join(''))
    return git(['commit-tree', tree, ...parents.flatMap((each) => ['-p', each]), '-m', 'x'])
  }
  const base = await commit(first)
  const onto = await commit(moved, base)
  await git(['update-ref', 'refs/heads/master', onto])
  const { open, openRepository } = opener(world, { mostBytes })
  const repository = await open()
  /** What it changed since the base, and what the service made of that on the target. */
  async function isSame(changed: Files, rebased: Files): Promise<boolean> {
    const heads = { before: await commit(changed, base), after: await commit(rebased, onto) }
    return repository.isSameContent({ target: 'master', ...heads })
  }
  return { openRepository, repository, commit, git, base, onto, isSame }
}

const { 'old.txt': old = '', ...withoutOld } = first
const { 'old.txt': _, ...movedWithoutOld } = moved
const executable = { 'run.sh': { mode: '100755', text: 'run\n' } }

describe('the rebase of a head that fell behind', () => {
  const b = { 'b.txt': 'b' }
  test('has the same content with changes of text, modes, names and binary files, and another with anything more or less', async () => {
    const { isSame } = await openBehind()
    const cases: [string, boolean, Files, Files][] = [
      ['text', true, { ...first, 'a.py': python('    ') }, { ...moved, 'a.py': python('    ') }],
      ['a mode', true, { ...first, ...executable }, { ...moved, ...executable }],
      ['a name', true, { ...withoutOld, 'new.txt': old }, { ...movedWithoutOld, 'new.txt': old }],
      ['a binary file', true, { ...first, 'logo.png': '\0two' }, { ...moved, 'logo.png': '\0two' }],
      ['a file comes back', false, { ...first, ...b }, { ...moved, ...b, 'evil.js': 'evil' }],
      ['a mode changes', false, { ...first, ...b }, { ...moved, ...b, ...executable }],
      ['a mode is lost', false, { ...first, ...executable }, moved],
      ['the old name stays', false, { ...withoutOld, 'new.txt': old }, { ...moved, 'new.txt': old }],
      ['a binary file differs', false, { ...first, 'logo.png': '\0two' }, { ...moved, 'logo.png': '\0six' }],
      ['a line moves out of a block', false, { ...first, ...b }, { ...moved, ...b, 'a.py': python('    ') }],
      ['the change of the target is undone', false, { ...first, ...b }, { ...first, ...b }],
      ['it conflicts', false, { ...first, 'other.txt': 'mine' }, { ...moved, 'other.txt': 'mine' }],
    ]
    await eachCase(cases, async ([, same, changed, rebased]) => expect(await isSame(changed, rebased)).toBe(same))
  })

  test('is not the same on no target, or from another history; and unknown where the service has no such commit', async () => {
    const { repository, commit, base } = await openBehind()
    const [before, foreign] = [await commit(first, base), await commit(first, await commit({ 'root.txt': 'x' }))]
    expect(await repository.isSameContent({ target: 'master', before, after: foreign })).toBe(false)
    expect(await repository.isSameContent({ target: 'none', before, after: before })).toBe(false)
    const missing = { target: 'master', before, after: 'f'.repeat(40) }
    await expect(repository.isSameContent(missing)).rejects.toThrow(GitError)
  })
})

test('where both merged each other, it is not the same: the first merge base alone shows another change', async () => {
  const { repository, commit, git, base } = await openBehind()
  const fixed = { ...first, 'old.txt': 'fixed' }
  const ours = await commit(fixed, base)
  const theirs = await commit({ ...first, 'other.txt': 'x' }, base)
  const onto = await commit({ ...fixed, 'other.txt': 'x' }, ours, theirs)
  await git(['update-ref', 'refs/heads/master', onto])
  const unfixed = { ...first, 'other.txt': 'x', 'b.txt': 'b' }
  const before = await commit(unfixed, await commit({ ...fixed, 'other.txt': 'x' }, theirs, ours))
  const after = await commit({ ...fixed, 'other.txt': 'x', 'b.txt': 'b' }, onto)
  for (const each of [after, await commit(unfixed, onto)])
    expect(await repository.isSameContent({ target: 'master', before, after: each })).toBe(false)
})

test('on an older commit of the target, it is not the same: it brings again what the target has taken back since', async () => {
  const { repository, commit, git, base } = await openBehind()
  const open = { ...first, 'door.txt': 'open' }
  const opened = await commit(open, base)
  await git(['update-ref', 'refs/heads/master', await commit(moved, opened)])
  const changed = { ...open, 'b.txt': 'b' }
  const [before, after] = [await commit(changed, opened), await commit(changed, base)]
  expect(await repository.isSameContent({ target: 'master', before, after })).toBe(false)
})

test('where it merges a part of the target, and drops what that brings, it is not the same', async () => {
  const { repository, commit, git, base } = await openBehind()
  const [fixed, newer] = [
    { ...first, 'fix.txt': 'x' },
    { ...first, 'newer.txt': 'x' },
  ]
  const part = await commit(fixed, base)
  // Git names the newest merge base first.
  await delay(1_100)
  const own = await commit(newer, base)
  await git(['update-ref', 'refs/heads/master', await commit({ ...fixed, ...newer }, part, own)])
  const changed = { ...newer, 'b.txt': 'b' }
  const before = await commit(changed, own)
  const after = await commit(changed, before, part)
  expect(await repository.isSameContent({ target: 'master', before, after })).toBe(false)
})

describe('where git cannot tell', () => {
  const rebase: Rebase = { target: 'master', before: 'a', after: 'b' }
  /** Fails with this error: the verdicts of two comparisons, the second so much later, and how often git was asked. */
  async function failing(error: Error, laterMs: number) {
    let [now, asked] = [1_000_000, 0]
    const openRepository = () => Promise.reject(++asked > 0 && error)
    const compare = createCompareContent({ openRepository, now: () => now, log: silent })
    const verdicts = [await compare(project, rebase)]
    now += laterMs
    return { verdicts: [...verdicts, await compare(project, rebase)], asked }
  }
  const unknown = ['unknown', 'unknown']

  test.each([
    ['git is missing', new GitMissing('none')],
    ['the service refuses', new GitError('fetch', { code: 'refused', stderr: '' })],
    ['its folder cannot be written', new Error('EACCES')],
  ])('it is unknown, and asked for the next rebase: %s', async (_why, error) => {
    expect(await failing(error, 0)).toEqual({ verdicts: unknown, asked: 2 })
  })

  test('a repository that is too large is not fetched for each rebase', async () => {
    const tooLarge = new GitError('fetch', { code: 'too_large', stderr: '' })
    expect(await failing(tooLarge, 60_000)).toEqual({ verdicts: unknown, asked: 1 })
    expect(await failing(tooLarge, 11 * 60_000)).toEqual({ verdicts: unknown, asked: 2 })
  })

  test('because of one head that is too large, it can of the next one', async () => {
    const { openRepository, commit, base, onto } = await openBehind(300_000)
    const compare = createCompareContent({ openRepository, now: Date.now, log: silent })
    const b = { 'b.txt': 'b' }
    const large = { 'large.txt': randomBytes(400_000).toString('hex') }
    const ofLarge = {
      before: await commit({ ...first, ...large }, base),
      after: await commit({ ...moved, ...large }, onto),
    }
    const ofSmall = { before: await commit({ ...first, ...b }, base), after: await commit({ ...moved, ...b }, onto) }
    expect(await compare(project, { target: 'master', ...ofLarge })).toBe('unknown')
    expect(await compare(project, { target: 'master', ...ofSmall })).toBe('same')
  })
})
