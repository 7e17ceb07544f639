// Rule files of repositories are read once for each content.
import { expect, test } from 'vitest'
import { readRepositoryRules } from '../../src/bot/read-repository-rules.ts'
import { readRules } from '../../src/rules/document.ts'

const text = 'version: 1\nrules:\n  - { name: a, if: { draft: false }, then: { subscribe: true } }\n'
const path = '.bellhop.yml'
const file = { blob: 'a', text }

test('gives what reading gives, and the same again for the same content', () => {
  expect(readRepositoryRules(file, path)).toEqual(readRules(text, path, { trust: 'repository' }))
  expect(readRepositoryRules({ ...file }, path)).toBe(readRepositoryRules(file, path))
})

test('another content, another path, or the same file as an included one is read for itself', () => {
  const own = readRepositoryRules(file, path)
  expect(readRepositoryRules({ blob: 'b', text: `${text}# more\n` }, path)).not.toBe(own)
  expect(readRepositoryRules(file, 'shared/rules.yml')).not.toBe(own)
  const including = { blob: 'c', text: 'include: [{ project: a/b, file: c.yml }]\nrules: []\n' }
  expect(readRepositoryRules(including, 'c.yml', { included: true }).ok).toBe(false)
  expect(readRepositoryRules(including, 'c.yml')).toEqual(readRules(including.text, 'c.yml', { trust: 'repository' }))
})

test('a blob that comes with another content does not bring the rules of the first', () => {
  const other = text.replace('draft: false', 'draft: true')
  readRepositoryRules(file, path)
  expect(readRepositoryRules({ ...file, text: other }, path)).toEqual(readRules(other, path, { trust: 'repository' }))
})

test('the files of a thousand projects are all kept, and what is asked for last outlives what is not asked for', () => {
  const named = (n: number) => ({ blob: `project ${n}`, text: `${text}# ${n}\n` })
  const all = Array.from({ length: 1_000 }, (_, n) => readRepositoryRules(named(n), path))
  for (const [n, read] of all.entries()) expect(readRepositoryRules(named(n), path)).toBe(read)
  // More characters than are kept, in comments.
  const large = '#'.repeat(250_000)
  for (let n = 0; n < 40; n++) {
    expect(readRepositoryRules({ blob: `large ${n}`, text: `${text}${large}` }, path).ok).toBe(true)
    expect(readRepositoryRules(named(0), path)).toBe(all[0])
  }
  expect(readRepositoryRules(named(1), path)).not.toBe(all[1])
})

test('a broken content gives its problems each time', () => {
  for (const _ of [1, 2]) expect(readRepositoryRules({ blob: 'd', text: 'rules: 7' }, path).ok).toBe(false)
})
