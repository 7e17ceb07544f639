// Rule files of repositories are read once for each content.
import { expect, test } from 'vitest'
import { readRepositoryRules } from '../../src/bot/read-repository-rules.ts'
import { readRules } from '../../src/rules/document.ts'

const text = 'version: 1\nrules:\n  - { name: a, if: { draft: false }, then: { subscribe: true } }\n'

test('gives what reading gives, and the same again for the same content', () => {
  expect(readRepositoryRules(text, '.bellhop.yml')).toEqual(readRules(text, '.bellhop.yml', { trust: 'repository' }))
  expect(readRepositoryRules(text, '.bellhop.yml')).toBe(readRepositoryRules(text, '.bellhop.yml'))
})

test('another content, another path, or the same file as an included one is read for itself', () => {
  const own = readRepositoryRules(text, '.bellhop.yml')
  expect(readRepositoryRules(`${text}# more\n`, '.bellhop.yml')).not.toBe(own)
  expect(readRepositoryRules(text, 'shared/rules.yml')).not.toBe(own)
  const including = 'include: [{ project: a/b, file: c.yml }]\nrules: []\n'
  expect(readRepositoryRules(including, 'c.yml', { included: true }).ok).toBe(false)
  expect(readRepositoryRules(including, 'c.yml')).toEqual(readRules(including, 'c.yml', { trust: 'repository' }))
})

test('a broken content gives its problems each time', () => {
  for (const _ of [1, 2]) expect(readRepositoryRules('rules: 7', '.bellhop.yml').ok).toBe(false)
})
