// Names of refs; the head of a branch, and some refs of many, wherever git keeps them.

import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { branchHead, isFilePath, isRefName, readRefs } from '../../../src/sandbox/git/refs.ts'
import { openBareWorld } from './bare-world.ts'

test('the head of a branch is found where it was moved to last, packed away or not', async () => {
  const { world, make, commit, say } = await openBareWorld()
  await make(1)
  const first = await commit(1, 'refs/heads/work/one', null, 'first')
  expect(await branchHead(world, 1, 'work/one')).toBe(first)
  await say(1, 'pack-refs', '--all')
  expect(await branchHead(world, 1, 'work/one')).toBe(first)
  const second = await commit(1, 'refs/heads/work/one', first, 'second')
  expect(await branchHead(world, 1, 'work/one')).toBe(second)
})

describe('no head', () => {
  test('of a branch that is gone, of one that never was, and of the folder of another', async () => {
    const { world, make, commit, remove } = await openBareWorld()
    await make(1)
    const head = await commit(1, 'refs/heads/work/one', null)
    expect(await branchHead(world, 1, 'work')).toBeUndefined()
    expect(await branchHead(world, 1, 'work/one/two')).toBeUndefined()
    await remove(1, 'refs/heads/work/one', head)
    expect(await branchHead(world, 1, 'work/one')).toBeUndefined()
  })

  test.each(['../tags/v1', '../../HEAD', '/etc/hostname', 'refs/heads/main', '', 'a\0b'])(
    'of %j, which is no name',
    async (name) => {
      const { world, make, commit } = await openBareWorld()
      await make(1)
      const head = await commit(1, 'refs/heads/main', null)
      await world.git.run(`${world.folder}/1.git`, ['update-ref', 'refs/tags/v1', head])
      expect(await branchHead(world, 1, name)).toBeUndefined()
    },
  )
})

test('some refs are those of all that have these names, packed away or not, tags as they are', async () => {
  const { world, make, commit, say } = await openBareWorld()
  await make(1)
  const packed = await commit(1, 'refs/heads/packed', null, 'packed')
  await say(1, 'tag', '--annotate', '--message=v1', 'v1', packed)
  await say(1, 'pack-refs', '--all')
  await commit(1, 'refs/heads/work/one', packed, 'loose')
  await say(1, 'tag', '--annotate', '--message=v2', 'v2', packed)
  const all = await readRefs(world, 1)
  expect(Object.keys(all)).toEqual(['refs/heads/packed', 'refs/heads/work/one', 'refs/tags/v1', 'refs/tags/v2'])
  expect(await readRefs(world, 1, Object.keys(all))).toEqual(all)
  const { 'refs/tags/v1': _, ...others } = all
  const names = [...Object.keys(others), 'refs/heads/none', 'refs/heads/work', 'refs/tags/packed']
  expect(await readRefs(world, 1, names)).toEqual(others)
  expect(await readRefs(world, 1, [])).toEqual({})
})

test('every name that is let through is one that git takes for a branch', () => {
  const signs = 'a B 1 . .. / - @ @{ ~ ^ : ? * [ \\ .lock ü _'
  const part = fc.constantFrom(' ', '\n', '\x7f', ...signs.split(' '))
  fc.assert(
    fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
      const name = parts.join('')
      if (isRefName(name)) expect(spawnSync('git', ['check-ref-format', `refs/heads/${name}`]).status, name).toBe(0)
    }),
    { numRuns: 150 },
  )
})

test.each(['master', 'feature/one', 'v1.0', 'a-b_c', 'ü', 'a@b'])('%s is a branch', (name) => {
  expect(isRefName(name)).toBe(true)
})

test.each([
  '',
  '-x',
  '--upload-pack=x',
  '@',
  'a..b',
  'a b',
  'a\0b',
  'refs/heads/a',
  'a.lock',
  'a/.b',
  '/a',
  'a/',
  'a.',
  'x'.repeat(256),
])('%j is none', (name) => {
  expect(isRefName(name)).toBe(false)
})

test.each(['a', 'a/b.txt', '.bellhop.yml', 'a b/ü', '.github/x', '.gitignore'])('%s is a file', (path) => {
  expect(isFilePath(path)).toBe(true)
})

test.each([
  '',
  '/a',
  'a/',
  'a//b',
  '../a',
  'a/../b',
  './a',
  '.git/config',
  'a/.GIT/x',
  'git~1/x',
  '-a',
  'a\nb',
  'a\\b',
])('%j is none', (path) => {
  expect(isFilePath(path)).toBe(false)
})
