// `bellhop decisions show ID --receipt`, over a journal: a merge queue's landing, hostile texts, and what merged nothing.
import type { DecisionRecord } from '../../../src/journal/types.ts'
import { TOKEN, useAdmin } from '../../admin/serve-admin.ts'
import { useStores } from '../../bot/stores.ts'
import { decision, matchedRule } from '../../suites/journal/records.ts'
import { bellhopHere } from '../run-here.ts'

const stores = useStores({ own: true })
const admin = useAdmin(() => ({ journal: stores.journal }))
const at = '2026-11-25T12:00:00.000Z'
const [head, commit, tree] = ['a', 'b', 'c'].map((each) => each.repeat(40)) as [string, string, string]

const merge = (id: string, iid: number, more: Partial<DecisionRecord>): DecisionRecord => {
  const call = { to: 'queue' as const, endpoint: 'mergeQueue.enter' as const, params: {}, action: 'accept' }
  return {
    ...decision({ project: 7, iid }, at, id),
    ...{ head, target: 'main', rules: [matchedRule('merge \u001b[2J'), matchedRule('other')] },
    responses: [
      { call: { ...call, rules: ['f#merge \u001b[2J'] }, status: 200, result: 'done', at, tookMs: 1 } as const,
    ],
    files: [{ path: 'f', blob: 'd'.repeat(40) }],
    facts: { approved_by: ['bob', 'carol'], pipeline: 'success' },
    ...more,
  }
}
const receipt = (id: string, ...more: string[]) =>
  bellhopHere(['decisions', 'show', id, '--receipt', ...more], {
    BELLHOP_ADMIN_URL: admin.url,
    BELLHOP_ADMIN_TOKEN: TOKEN,
  })

beforeAll(async () => {
  const { journal } = stores
  await journal.decisions.save(merge('landed', 1, {}))
  await journal.decisions.save(merge('rebased', 2, {}))
  await journal.decisions.save(merge('queued', 3, { facts: { approved_by: [] } }))
  await journal.decisions.save(merge('nothing', 4, { responses: [] }))
  const landing = { since: 0, at: 0, by: 'accept' as const, from: { commit: head, tree: head }, commit }
  const landed = (iid: number, of: string) => ({ ...landing, tree: of, members: [{ iid, head }] })
  const recent = [landed(1, tree), landed(2, commit), { ...landed(3, tree), members: [{ iid: 3, head: tree }] }]
  const record = { window: 1, builds: [], conflicts: [], removals: [], recent }
  await journal.mergeQueues.change({ project: 7, target: 'main' }, () => record)
})

test('it has what the merge queue landed, the rule that requested it, and who approved which head', async () => {
  const { out, code } = await receipt('landed')
  expect(code).toBe(0)
  expect(out.split('\n')).toEqual([
    'receipt of !1 of project 7, decision landed',
    `  merge     mergeQueue.enter at ${at}`,
    `  rule      merge  [2J (f:1, blob ${'d'.repeat(40)})`,
    `  head      ${head} into main`,
    `  commit    ${commit}`,
    `  tree      ${tree}`,
    '  pipeline  success',
    `  approvals bob, carol, for ${head}`,
    '  fact      approved_by = ["bob","carol"]',
    '  fact      pipeline = "success"',
    '',
  ])
  const { out: json } = await receipt('landed', '--format', 'json')
  expect(JSON.parse(json)).toMatchObject({ at, head, tree, approvals: ['bob', 'carol'] })
})

test.each([
  ['rebased', 'queue that tests without git'],
  ['queued', 'head that has not landed yet'],
])('%s: no tree is known of a %s', async (id) => {
  expect((await receipt(id)).out).toContain('  tree      not known: ')
})

test('it says where no approval counted', async () => {
  const { out } = await receipt('queued')
  expect(out).toContain(`  approvals none counted, for ${head}\n`)
  expect(out).toContain('  pipeline  not read\n')
})

test('a decision that merged nothing has none', async () => {
  expect(await receipt('nothing')).toMatchObject({
    code: 1,
    err: expect.stringContaining('Decision nothing merged nothing: it has no receipt.'),
  })
})
