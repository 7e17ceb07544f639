// `bellhop explain` prints calls of unknown effect, as text and as JSON.

import { type Report, reportJson, reportLines } from '../../../src/cli/commands/explain.ts'

const report = (uncertain?: string[]): Report => ({
  mergeRequest: { project: 1, iid: 42, title: 'Work', state: 'opened', url: null },
  decision: {
    rules: [],
    calls: [],
    responses: [],
    head: 'a'.repeat(40),
    files: [],
    ...(uncertain === undefined ? {} : { uncertain }),
  },
  unknown: [],
  unknownRules: [],
  whatIf: [],
  problems: [],
})
const lost =
  'spend (mergeRequests.addSpentTime) at 2026-01-10T00:00:00Z: its answer was lost, and nothing tells whether it was done'

test('a call of unknown effect is printed, with what to check', () => {
  expect(reportLines(report([lost])).join('\n')).toContain(`not certain: ${lost}. Check whether it was done.`)
  expect(reportLines(report()).join('\n')).not.toContain('not certain')
  expect([reportJson(report([lost])).uncertain, reportJson(report()).uncertain]).toEqual([[lost], []])
})

test('a new-rule limit that holds something back is printed before the rules', () => {
  const given = report()
  const [until, detail] = ['2026-01-11T00:20:00Z', 'the new-rule limit']
  const rule = {
    ...{ key: 'k', name: 'n', file: 'f', line: 1, verdict: 'true' as const, became: true, fingerprint: 'p' },
    conditions: { condition: 'all', verdict: 'true' as const, expected: '', actual: '' },
    actions: [{ action: 'approve', result: 'blocked' as const, detail, limitedUntil: until }],
  }
  const text = reportLines({ ...given, decision: { ...given.decision, rules: [rule] } }).join('\n')
  expect(text).toMatch(/New rules of this project reached .*: no approve until Sun 11 Jan 00:20 UTC\.\n[\s\S]*✓ n /)
})
