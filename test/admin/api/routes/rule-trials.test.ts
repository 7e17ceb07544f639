// Rule trials over HTTP: a text is checked, then tried; a read-only token is enough, and the audit log has no entry.
import type { AdminContext } from '../../../../src/admin/admin-context.ts'
import { useStores } from '../../../bot/stores.ts'
import { nothing as decision, jsonPost, useAdmin } from '../../serve-admin.ts'

const stores = useStores({ own: true })
const reader = 'reader-token-0123'
const rules = 'version: 1\nrules:\n  - { name: a, if: { author: alice }, then: { subscribe: true } }\n'
const backtest = { outcomes: [], found: 0, calls: { made: 1, planned: 1, most: 9 } }
const tried: unknown[] = []
const ruleTrials: AdminContext['ruleTrials'] = {
  text: async (project) => (project === 7 ? { path: '.bellhop.yml', text: rules } : undefined),
  async explain(...given) {
    tried.push(given)
    return { ok: true, decision }
  },
  async backtest(...given) {
    tried.push(given)
    return given[0] === 8 ? { ok: false, reason: 'Another backtest is running.' } : { ok: true, backtest }
  },
}
const tokens = [{ name: 'reader', scopes: ['read' as const], token: reader }]
const admin = useAdmin(() => ({ journal: stores.journal, ruleTrials }), { tokens })
const broken = 'version: 1\nrules: 7\n'
const fine = { problems: [], warnings: [] }
const explain = { text: rules, do: 'explain', project: 7, iid: 3 }

test.each([
  ['checks without a project', { text: rules }, fine],
  ['has a place', { text: broken }, { problems: [expect.stringMatching(/^\.bellhop\.yml:2:8: rules: /)] }],
  [
    'warns',
    { text: `${rules}  - { name: b, if: { all: [{ draft: true }, { draft: false }] }, then: { subscribe: true } }\n` },
    { problems: [], warnings: [expect.stringContaining('never matches')] },
  ],
  ['explains', { ...explain, overrides: ['draft=true'] }, { ...fine, decision }],
  ['explains no broken text', { ...explain, text: broken }, { problems: [expect.any(String)] }],
  ['needs a project', { text: rules, do: 'backtest' }, { ...fine, reason: 'Choose a project first.' }],
  ['needs its number', { ...explain, iid: undefined }, { ...fine, reason: 'Name a merge request or an issue first.' }],
  ['refuses an override', { ...explain, overrides: ['x=1'] }, { reason: expect.stringContaining('no fact "x"') }],
  ['backtests', { text: rules, do: 'backtest', project: 7, last: 3 }, { ...fine, backtest }],
  ['says why not', { text: rules, do: 'backtest', project: 8 }, { ...fine, reason: 'Another backtest is running.' }],
])('%s', async (_, given, expected) => {
  const { status, body } = await admin.ask('/rules/try', jsonPost(given, reader))
  expect(status).toBe(200)
  expect(body).toMatchObject(expected)
})

test('passes on the project, the text and the limits; nothing is in the audit log', async () => {
  tried.length = 0
  await admin.ask('/rules/try', jsonPost({ ...explain, overrides: 'draft=true' }, reader))
  await admin.ask('/rules/try', jsonPost({ text: rules, do: 'backtest', project: 7 }, reader))
  expect(tried).toEqual([
    [{ project: 7, iid: 3 }, rules, expect.objectContaining({ events: [] })],
    [7, rules, 20],
  ])
  expect((await stores.journal.audit.list({ limit: 10 })).items).toEqual([])
})

test('no more than 50 merge requests are tried', async () => {
  const given = { text: rules, do: 'backtest', project: 7, last: 51 }
  expect((await admin.ask('/rules/try', jsonPost(given, reader))).status).toBe(400)
})

test('a text that is too large is a problem', async () => {
  const { body } = await admin.ask('/rules/try', jsonPost({ text: '#'.repeat(300_000) }, reader))
  expect(body).toMatchObject({ problems: [expect.stringContaining('a file of at most 256 KB')] })
})

test('the file of a project is shown as it was read last', async () => {
  const headers = { authorization: `Bearer ${reader}` }
  const shown = await admin.ask('/rules/7/file', { headers })
  expect(shown).toEqual({ status: 200, body: { path: '.bellhop.yml', text: rules } })
  expect((await admin.ask('/rules/8/file', { headers })).status).toBe(404)
})
