// Rule files of repositories are read once for each content, by one process for all who share a journal and a secret.
import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createReadRepositoryRules, type ReadAs } from '../../src/bot/read-repository-rules.ts'
import { rememberedRules } from '../../src/bot/remembered-rules.ts'
import { createRuleForms } from '../../src/bot/rule-forms.ts'
import { readRules } from '../../src/rules/document.ts'
import { silent, useStores } from './stores.ts'

const stores = useStores()

const text = 'version: 1\nrules:\n  - { name: a, if: { draft: false }, then: { subscribe: true } }\n'
const as = { project: 1, path: '.bellhop.yml' }
const file = { blob: 'a', text }

/** A process that remembers nothing yet; `from` says what it has read its rules from. */
function makeProcess(service?: string) {
  const from: string[] = []
  const forms =
    service === undefined
      ? undefined
      : createRuleForms({ service, journal: stores.journal, secret: () => 'a token', code: 'a code', log: silent })
  const counting = { rulesRead: (what: 'text' | 'form') => void from.push(what) }
  return { read: createReadRepositoryRules({ remembered: rememberedRules(), forms, counting }), from }
}

describe('one process', () => {
  test('gives what reading gives, and the same again for the same content', async () => {
    const { read, from } = makeProcess()
    expect(await read(file, as)).toEqual(readRules(text, as.path, { trust: 'repository' }))
    expect(await read({ ...file }, as)).toBe(await read(file, as))
    expect(from).toEqual(['text'])
  })

  test('another content, another path, or the same file as an included one is read for itself', async () => {
    const { read } = makeProcess()
    const own = await read(file, as)
    expect(await read({ blob: 'b', text: `${text}# more\n` }, as)).not.toBe(own)
    expect(await read(file, { ...as, path: 'shared/rules.yml' })).not.toBe(own)
    const including = { blob: 'c', text: 'include: [{ project: a/b, file: c.yml }]\nrules: []\n' }
    expect((await read(including, { ...as, path: 'c.yml', included: true })).ok).toBe(false)
    expect(await read(including, { ...as, path: 'c.yml' })).toEqual(readRules(including.text, 'c.yml', { trust: 'repository' }))
  })

  test('a blob that comes with another content does not bring the rules of the first', async () => {
    const { read } = makeProcess()
    const other = text.replace('draft: false', 'draft: true')
    await read(file, as)
    expect(await read({ ...file, text: other }, as)).toEqual(readRules(other, as.path, { trust: 'repository' }))
  })

  test('a broken content gives its problems each time', async () => {
    const { read } = makeProcess()
    for (const _ of [1, 2]) expect((await read({ blob: 'd', text: 'rules: 7' }, as)).ok).toBe(false)
  })
})

describe('a second process', () => {
  const contents: [string, string, Partial<ReadAs>][] = [
    ['of rules', text, {}],
    ['that is broken', 'rules: 7\na: 1', {}],
    ['that is no YAML', 'rules: [', {}],
    ['that is included', text, { included: true, path: 'hotel/rules:merge.yml@v1' }],
  ]
  test.each(contents)('reads no text of a file %s, and finds the same', async (_, content, more) => {
    const service = randomUUID()
    const [first, second] = [makeProcess(service), makeProcess(service)]
    const given = await first.read({ blob: 'b', text: content }, { ...as, ...more })
    const found = await second.read({ blob: 'b', text: content }, { ...as, ...more })
    expect(found).toEqual(given)
    expect([first.from, second.from]).toEqual([['text'], ['form']])
  })

  test('finds a good version and the broken one after it', async () => {
    const service = randomUUID()
    const broken = { blob: 'b', text: 'rules: 7' }
    for (const each of [file, broken]) await makeProcess(service).read(each, as)
    const second = makeProcess(service)
    for (const each of [file, broken]) await second.read(each, as)
    expect(second.from).toEqual(['form', 'form'])
  })

  test('reads a text that nobody has read', async () => {
    const service = randomUUID()
    const other = text.replace('draft: false', 'draft: true')
    const others: [string, Partial<ReadAs>][] = [
      [other, {}],
      [text, { project: 2 }],
      [text, { path: 'a.yml' }],
      [text, { included: true }],
    ]
    for (const [content, more] of others) {
      await makeProcess(service).read(file, as)
      const second = makeProcess(service)
      const read = await second.read({ blob: file.blob, text: content }, { ...as, ...more })
      expect(read).toEqual(readRules(content, more.path ?? as.path, { trust: 'repository', included: more.included ?? false }))
      expect(second.from).toEqual(['text'])
    }
  })

  test('reads the text itself where the first was not to keep it', async () => {
    const service = randomUUID()
    const [first, second] = [makeProcess(service), makeProcess(service)]
    await first.read(file, { ...as, keep: false })
    await second.read(file, as)
    expect(second.from).toEqual(['text'])
  })
})
