// A process that starts finds in the journal what others have read from rule files: it reads no text again.
import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { createRuleFiles } from '../../src/bot/rule-files.ts'
import { createRuleForms } from '../../src/bot/rule-forms.ts'
import type { RuleFileInForce } from '../../src/rules/types.ts'
import { makeClient, service as played, playService } from '../client/world.ts'
import { silent, useStores } from './stores.ts'

const stores = useStores()
playService()

const [head, shared] = ['c', 'd'].map((each) => each.repeat(40)) as [string, string]
const rules = (name: string, more = '') =>
  `${more}version: 1\nrules:\n  - name: ${name}\n    if: { draft: false }\n    then: { approve: true }\n`
const include = 'include: { project: hotel/rules, file: merge.yml }\n'
const broken = 'version: 1\nrules: 7\n'

const operatorFile: RuleFileInForce = {
  rules: { file: 'all.yml', rules: [] },
  path: 'all.yml',
  blob: 'o',
  trust: 'operator',
  broken: false,
}

/** Processes of one service: `from` says what each has read rules from, and `asked` how often it asked for what others had read. */
function makeService() {
  const service = `s-${randomUUID()}`
  return function start() {
    const from: string[] = []
    const asked: string[] = []
    const { journal } = stores
    const counted: Pick<typeof journal, 'ruleForms' | 'saveRuleForm'> = {
      ...journal,
      ruleForms: (file) => {
        asked.push(file.path)
        return journal.ruleForms(file)
      },
    }
    const files = createRuleFiles({
      ...{ service, client: makeClient().client, journal, operatorFiles: [operatorFile], now: () => Date.now(), log: silent },
      policy: { entries: [{ includeFrom: ['hotel/rules'] }], defaults: { mode: 'act', brake: 0 } },
      forms: createRuleForms({ service, journal: counted, secret: () => 'a token', code: 'a code', log: silent }),
      counting: { ...uncounted, rulesRead: (what) => void from.push(what) },
    })
    return { ...files, from, asked }
  }
}

const uncounted = { answered() {}, delivery() {}, decision() {}, sweep() {}, ruleFile() {} }
const encoded = (text: string) => ({
  blob_id: createHash('sha1').update(text).digest('hex'),
  content: Buffer.from(text).toString('base64'),
})

const holdsBranch = (project: number, commit: string) =>
  played()
    .get(`/projects/${project}/repository/branches/main`)
    .reply(200, { name: 'main', commit: { id: commit } })

/** The service's answers for one reading of the repository's file, and of the one that it includes. */
function holds(text: string, included?: string): void {
  played().get('/projects/7').reply(200, { id: 7, default_branch: 'main', path_with_namespace: 'hotel/app' })
  holdsBranch(7, head)
  played().get('/projects/7/repository/files/.bellhop.yml').query({ ref: head }).reply(200, encoded(text))
  if (included !== undefined) holdsIncluded(included)
}

function holdsIncluded(text: string): void {
  played().get('/projects/hotel%2Frules').reply(200, { id: 8, default_branch: 'main', path_with_namespace: 'hotel/rules' })
  holdsBranch(8, shared)
  played().get('/projects/8/repository/files/merge.yml').query({ ref: shared }).reply(200, encoded(text))
}

test('what one process has read of a file and of what it includes, the next finds, and judges by the same', async () => {
  const start = makeService()
  const [first, second] = [start(), start()]
  holds(rules('own', include), rules('shared'))
  const { fresh: _, ...read } = await first.refresh(7)
  expect(first.from).toEqual(['text', 'text'])
  const { fresh: __, ...found } = await second.inForce(7)
  expect(second.from).toEqual(['form', 'form'])
  expect(found).toEqual(read)
  expect(found.files).toMatchObject([operatorFile, { rules: { rules: [{ name: 'own' }] } }, { rules: { rules: [{ name: 'shared' }] } }])
})

test('a process asks for it once, and never for what it remembers', async () => {
  const start = makeService()
  holds(rules('own', include), rules('shared'))
  await start().refresh(7)
  const { inForce, known, includes, asked } = start()
  await Promise.all(Array.from({ length: 20 }, () => inForce(7)))
  for (let n = 0; n < 5; n += 1) await inForce(7)
  expect([(await known(7))?.branch, (await includes(7)).length]).toEqual(['main', 1])
  expect(asked).toEqual(['.bellhop.yml', 'hotel/rules:merge.yml'])
})

test('a new version that a process reads as it starts is read once for all, and the old one by none', async () => {
  const start = makeService()
  const [first, second, third] = [start(), start(), start()]
  holds(rules('one'))
  await first.refresh(7)
  holds(rules('two'))
  await second.refresh(7)
  expect(second.from).toEqual(['form', 'text'])
  for (const each of [first, third]) expect((await each.inForce(7)).files.at(-1)?.rules.rules).toMatchObject([{ name: 'two' }])
  expect([first.from, third.from]).toEqual([['text', 'form'], ['form']])
})

test('of a file that is broken both are found: the last good version, and what is wrong with the newest', async () => {
  const start = makeService()
  const first = start()
  for (const text of [rules('one'), broken]) {
    holds(text)
    await first.refresh(7)
  }
  const second = start()
  holds(broken)
  expect(await second.refresh(7)).toMatchObject({
    files: [{}, { broken: true, rules: { rules: [{ name: 'one' }] } }],
    problems: [expect.any(String)],
  })
  expect(second.from).toEqual(['form', 'form'])
})

test('what would be in force with another file is kept for nobody, nor what that would include', async () => {
  const start = makeService()
  const [first, second, third] = [start(), start(), start()]
  const proposed = rules('two', include)
  holds(rules('one'))
  await first.refresh(7)
  holdsIncluded(rules('shared'))
  expect(await second.asIf(7, { blob: 'b', text: proposed })).toMatchObject({ problems: [] })
  expect(second.from).toEqual(['text', 'text'])
  holds(proposed, rules('shared'))
  await third.refresh(7)
  expect(third.from).toEqual(['form', 'text', 'text'])
})
