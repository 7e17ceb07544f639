// Then beside now: what a dry run says of one merge request.
import { expect, test } from 'vitest'
import { beside } from '../../src/admin/beside.ts'
import type { Desk } from '../../src/admin/desk.ts'
import type { DecisionRecord } from '../../src/journal/types.ts'
import type { Decision, RuleTrace, Verdict } from '../../src/rules/types.ts'

const mergeRequest = { service: 's', project: 7, iid: 2 }
const ruled = (verdicts: Record<string, Verdict>): Decision => ({
  ...{ calls: [], answers: [], files: [], head: null },
  rules: Object.entries(verdicts).map(([name, verdict]) => ({ name, file: 'f', verdict }) as RuleTrace),
})
const before = (verdicts: Record<string, Verdict>): DecisionRecord => ({
  ...{ id: 'd', mergeRequest, at: '2026-11-21T10:00:00.000Z', deliveries: [], tookMs: 1 },
  ...ruled(verdicts),
})
const now = (verdicts: Record<string, Verdict>): Pick<Desk, 'dryRun'> => ({
  dryRun: async () => ({ ok: true, decision: ruled(verdicts) }),
})

test('names the rules that say something else now, those that are new and those that are gone; no others', async () => {
  const earlier = before({ same: 'false', other: 'false', gone: 'true' })
  const last = before({ same: 'true', other: 'false', gone: 'true' })
  const { changed, before: shown } = await beside(now({ same: 'true', other: 'unknown', fresh: 'true' }), mergeRequest, [earlier, last])
  expect(changed).toEqual([
    { rule: 'other', file: 'f', was: 'false', is: 'unknown' },
    { rule: 'gone', file: 'f', was: 'true', is: null },
    { rule: 'fresh', file: 'f', was: null, is: 'true' },
  ])
  expect(shown).toEqual([earlier, last])
})

test('of what was never decided nothing has changed', async () => {
  expect((await beside(now({ fresh: 'true' }), mergeRequest, [])).changed).toEqual([])
})
