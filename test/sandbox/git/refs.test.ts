// Names of refs and files.
import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { branchHead, isFilePath, isRefName } from '../../../src/sandbox/git/refs.ts'
import { openBareWorld } from './bare-world.ts'

test.each(['../tags/v1', '../../HEAD', '/etc/hostname', 'refs/heads/main', '', 'a\0b'])(
  '%j, which is no name, has no head',
  async (name) => {
    const { world, make, commit } = await openBareWorld()
    await make(1)
    const head = await commit(1, 'refs/heads/main', null)
    await world.git.run(`${world.folder}/1.git`, ['update-ref', 'refs/tags/v1', head])
    expect(await branchHead(world, 1, name)).toBeUndefined()
  },
)

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
