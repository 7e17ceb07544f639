// The page of approvals: its rules, its rule tests, and its table of code owners.
import { runTests } from '../../src/cli/rule-tests/run-tests.ts'
import { emptyMemory } from '../../src/rules/engine/update-memory.ts'
import { warningsOf } from '../../src/rules/lint/warnings.ts'
import { ownFolder } from '../cli/own-folder.ts'
import { answer, answers, change, changesAnswer, decideRule, file, head, problemsIn } from '../rules/world.ts'
import { readPage } from './pages.ts'

const page = readPage('approvals.md')
const fences = [...page.matchAll(/^```yaml\n(.*?)^```$/gms)].map(([, text = '']) => text)

const isTest = (text: string) => text.includes('\ntests:')
const ruleTexts = fences.filter((text) => !isTest(text))

test('its rules have no problems and no warnings', () => {
  expect(ruleTexts.length).toBeGreaterThan(3)
  for (const text of ruleTexts) {
    expect(problemsIn(text)).toEqual([])
    expect(warningsOf(text, file(text).rules)).toEqual([])
  }
})

test('its rule tests pass', async () => {
  const { write } = ownFolder()
  write('.bellhop.yml', ruleTexts[0] ?? '')
  const { files } = await runTests([write('.bellhop.test.yml', fences.find(isTest) ?? '')])
  expect(files).toMatchObject([{ problems: [], tests: [{ passed: true }, { passed: true }] }])
})

const table = page.split('## Code owners')[1] ?? ''
const rows = [...table.matchAll(/^\| (`.*) \| `(.*)` \| (.*) \| (.*) \|$/gm)].map(([, ...cells]) => cells)

test.each(rows)('%s, %s by %s: %s', (owners = '', path = '', by = '', missing = '') => {
  const text = owners.slice(1, -1).replaceAll('` `', '\n')
  const people = ['alice', 'bob', 'carol'].map((username, at) => ({ id: at + 2, username }))
  const approvers = people.filter(({ username }) => by.includes(username))
  const author = by.includes('who wrote it') ? approvers[0] : { id: 9, username: 'mallory' }
  const given = {
    approvals: answer({ approved_by: approvers.map((user) => ({ user })) }),
    changes: changesAnswer([change(path)]),
    'codeOwners@CODEOWNERS': answer({ content: btoa(text) }),
    'groupDirectMembers@acme/docs': answer([]),
  }
  const [rule] = decideRule('{ code_owners_approved: true }', '{ subscribe: true }', {
    answers: answers({ author }, given),
    memory: { ...emptyMemory(), pushes: [{ from: null, to: head, by: { username: 'mallory' } }] },
  }).rules
  expect(rule?.conditions.toFix ?? 'none').toBe(missing.startsWith('none') ? 'none' : missing.replaceAll('`', ''))
})

test('the table has rows', () => {
  expect(rows.length).toBeGreaterThan(3)
})
