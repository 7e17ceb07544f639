// Compares past decisions with a dry run of one merge request.
import type { AdminContext } from '../../../src/admin/admin-context.ts'
import { compareDecisions } from '../../../src/admin/api/routes/replays.ts'
import type { DecisionRecord } from '../../../src/journal/types.ts'
import type { Verdict } from '../../../src/rules/language/values/rule-types.ts'
import type { Decision, RuleTrace } from '../../../src/rules/types.ts'

const mergeRequest = { project: 7, iid: 2 }
const ruled = (verdicts: Record<string, Verdict>): Decision => ({
  ...{ calls: [], responses: [], files: [], head: null },
  rules: Object.entries(verdicts).map(([name, verdict]) => ({ name, file: 'f', verdict }) as RuleTrace),
})
const before = (verdicts: Record<string, Verdict>): DecisionRecord => ({
  ...{ id: 'd', mergeRequest, at: '2026-11-21T10:00:00.000Z', deliveries: [], tookMs: 1 },
  ...ruled(verdicts),
})
const now = (verdicts: Record<string, Verdict>): Pick<AdminContext, 'dryRun'> => ({
  dryRun: async () => ({ ok: true, decision: ruled(verdicts) }),
})

test('names rules whose verdict changed, new rules and removed rules, and no others', async () => {
  const earlier = before({ same: 'false', other: 'false', gone: 'true' })
  const last = before({ same: 'true', other: 'false', gone: 'true' })
  const { changed, before: shown } = await compareDecisions(
    now({ same: 'true', other: 'unknown', fresh: 'true' }),
    mergeRequest,
    [earlier, last],
  )
  expect(changed).toEqual([
    { rule: 'other', file: 'f', before: 'false', now: 'unknown' },
    { rule: 'gone', file: 'f', before: 'true', now: null },
    { rule: 'fresh', file: 'f', before: null, now: 'true' },
  ])
  expect(shown).toEqual([earlier, last])
})

test('without a past decision nothing has changed', async () => {
  expect((await compareDecisions(now({ fresh: 'true' }), mergeRequest, [])).changed).toEqual([])
})
