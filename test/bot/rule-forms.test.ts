// What was read from a rule file is believed only where this Bellhop itself has written that it read it, from this very text.
import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { createRuleForms, type RuleFileVersion } from '../../src/bot/rule-forms.ts'
import { readRules } from '../../src/rules/document.ts'
import type { ReadRules } from '../../src/rules/types.ts'
import { useStores } from './stores.ts'

const stores = useStores()

const secret = 'glpat-a-token-of-this-service'
const textOf = (draft: boolean) => `version: 1\nrules:\n  - { name: a, if: { draft: ${draft} }, then: { approve: true } }\n`
const version: RuleFileVersion = { project: 1, path: '.bellhop.yml', text: textOf(false), included: false }
const other: RuleFileVersion = { ...version, text: textOf(true) }
const readOf = ({ text, path, included }: RuleFileVersion): ReadRules => readRules(text, path, { trust: 'repository', included })

/** Processes of one service, and what they say at level warn. */
function makeService() {
  const { journal } = stores
  const service = randomUUID()
  const said: Record<string, unknown>[] = []
  const log = pino({ level: 'warn' }, { write: (line: string) => void said.push(JSON.parse(line)) })
  const process = (given: { secret?: string; code?: string } = {}) =>
    createRuleForms({ service, journal, secret: () => given.secret ?? secret, code: given.code ?? 'one', log })
  const file = { service, project: version.project, path: version.path }
  const kept = async () => (await journal.ruleForms(file)).join()
  return { process, kept, said, write: (form: string) => journal.saveRuleForm(file, 'good', form) }
}

test('what one process keeps, another finds', async () => {
  const { process, said } = makeService()
  expect(await process().find(version)).toBeUndefined()
  await process().keep(version, readOf(version))
  expect(await process().find(version)).toEqual(readOf(version))
  expect(said).toEqual([])
})

describe('is not found, though nothing is wrong,', () => {
  test.each<[string, { secret?: string; code?: string }]>([
    ['by other code, which may read the text otherwise', { code: 'two' }],
    ['by who has another secret', { secret: 'another token' }],
    ['by who has none', { secret: '' }],
  ])('%s; and what is read there takes its place', async (_, given) => {
    const { process, said, kept } = makeService()
    await process().keep(version, readOf(version))
    expect(await process(given).find(version)).toBeUndefined()
    expect(said).toEqual([])
    const before = await kept()
    await process(given).keep(version, readOf(version))
    const isKept = given.secret !== ''
    expect((await process(given).find(version)) !== undefined).toBe(isKept)
    expect((await kept()) === before).toBe(!isKept)
  })

  test.each<[string, Partial<RuleFileVersion>]>([
    ['of another text', { text: textOf(true) }],
    ['of the same file as an included one', { included: true }],
  ])('as that %s', async (_, given) => {
    const { process, said } = makeService()
    await process().keep(version, readOf(version))
    expect(await process().find({ ...version, ...given })).toBeUndefined()
    expect(said).toEqual([])
  })

  test('after the secret became another, until it is kept with that', async () => {
    const { journal } = stores
    let now = 'the first token'
    const forms = createRuleForms({ service: randomUUID(), journal, secret: () => now, code: 'one', log: pino({ level: 'silent' }) })
    await forms.keep(version, readOf(version))
    now = 'the second token'
    expect(await forms.find(version)).toBeUndefined()
    await forms.keep(version, readOf(version))
    expect(await forms.find(version)).toEqual(readOf(version))
  })
})

describe('who can write to the store, but has not the secret,', () => {
  const forgeries: [string, (sealed: string, ofOther: string) => string][] = [
    ['changes a word of it', (sealed) => sealed.replace('"draft","equals",false', '"draft","equals",true')],
    ['puts other rules below the seal', (sealed, ofOther) => `${sealed.split('\n')[0]}\n${ofOther.split('\n')[1]}`],
    ['puts another text’s seal above', (sealed, ofOther) => sealed.replace(/ \w+\n/, ` ${/ (\w+)\n/.exec(ofOther)?.[1]}\n`)],
    ['names another text’s rules as this one’s', (sealed, ofOther) => ofOther.replace(/ \w+ /, ` ${sealed.split(' ')[1]} `)],
    ['cuts it off', (sealed) => sealed.slice(0, -20)],
    ['takes the seal away', (sealed) => sealed.replace(/ \w+\n/, '\n')],
    ['makes the seal longer', (sealed) => sealed.replace('\n', '00\n')],
  ]
  test.each(forgeries)('and %s, is not believed: it is said, and what is read anew takes its place', async (_, forge) => {
    const { process, said, kept, write } = makeService()
    await process().keep(other, readOf(other))
    const ofOther = await kept()
    await process().keep(version, readOf(version))
    const forged = forge(await kept(), ofOther)
    expect([await kept(), ofOther]).not.toContain(forged)
    await write(forged)
    expect(await process().find(version)).toBeUndefined()
    expect(said).toMatchObject([{ event: 'rule form refused', project: 1, path: '.bellhop.yml' }])
    await process().keep(version, readOf(version))
    expect(await process().find(version)).toEqual(readOf(version))
    expect(said).toHaveLength(1)
  })

  test.each(['', '\n', 'a', 'a b c', '{"named":[],"rules":[]}', `${'0'.repeat(64)} ${'0'.repeat(64)} ${'0'.repeat(64)}\n{}`])(
    'and writes something else, %j, is not believed',
    async (written) => {
      const { process, write } = makeService()
      await write(written)
      expect(await process().find(version)).toBeUndefined()
    },
  )

  test('learns no secret, in the store or in what is said of a forged one', async () => {
    const { process, said, kept, write } = makeService()
    await process().keep(version, readOf(version))
    const sealed = await kept()
    expect(sealed).toContain('"approve"')
    await write(`${sealed} `)
    await process().find(version)
    expect(said).toHaveLength(1)
    expect(`${sealed}${JSON.stringify(said)}`).not.toContain(secret)
  })
})
