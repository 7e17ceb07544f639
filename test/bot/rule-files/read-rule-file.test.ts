// Each version of a repository's rule file is parsed once per process.
import { createRuleCache } from '../../../src/bot/rule-files/read-rule-file.ts'
import { readRules } from '../../../src/rules/language/documents/rule-document.ts'

const text = 'version: 1\nrules:\n  - { name: a, if: { draft: false }, then: { subscribe: true } }\n'
const as = { path: '.bellhop.yml' }
const file = { blob: 'a', text }

test('gives what parsing gives, and the same object again for the same content', () => {
  const read = createRuleCache()
  expect(read(file, as)).toEqual(readRules(text, as.path, { trust: 'repository' }))
  expect(read({ ...file }, as)).toBe(read(file, as))
})

test('parses another content, another path, and the same file as an included one, each for itself', () => {
  const read = createRuleCache()
  const own = read(file, as)
  expect(read({ blob: 'b', text: `${text}# more\n` }, as)).not.toBe(own)
  expect(read(file, { path: 'shared/rules.yml' })).not.toBe(own)
  const including = { blob: 'c', text: 'include: [{ project: a/b, file: c.yml }]\nrules: []\n' }
  expect(read(including, { path: 'c.yml', included: true }).ok).toBe(false)
  expect(read(including, { path: 'c.yml' })).toEqual(readRules(including.text, 'c.yml', { trust: 'repository' }))
})

test('does not return the rules of another text that has the same blob id', () => {
  const read = createRuleCache()
  const other = text.replace('draft: false', 'draft: true')
  read(file, as)
  expect(read({ ...file, text: other }, as)).toEqual(readRules(other, as.path, { trust: 'repository' }))
})

test('keeps the files of a thousand projects, and evicts the least recently used first', () => {
  const read = createRuleCache()
  const project = (n: number) => read({ blob: `project ${n}`, text: `${text}# ${n}\n` }, as)
  const all = Array.from({ length: 1_000 }, (_, n) => project(n))
  for (const [n, each] of all.entries()) expect(project(n)).toBe(each)
  // More characters than are cached, in comments.
  const large = '#'.repeat(250_000)
  for (let n = 0; n < 40; n += 1) {
    read({ blob: `large ${n}`, text: `${text}${large}` }, as)
    expect(project(0)).toBe(all[0])
  }
  expect(project(1)).not.toBe(all[1])
})
