// `bellhop explain` prints calls of unknown effect, as text and as JSON.
import { expect, test } from 'vitest'
import { type Report, reportJson, reportLines } from '../../../src/cli/explain/print.ts'

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
  whatIf: [],
  problems: [],
})
const lost =
  'spend (mergeRequests.addSpentTime) at 2026-01-10T00:00:00Z: its answer was lost, and nothing tells whether it was done'

test('a call of unknown effect is printed, with what to check', () => {
  expect(reportLines(report([lost])).join('\n')).toContain(`not certain: ${lost}. Check whether it was done.`)
  expect(reportJson(report([lost])).uncertain).toEqual([lost])
})

test('without such a call nothing is printed', () => {
  expect(reportLines(report()).join('\n')).not.toContain('not certain')
  expect(reportJson(report()).uncertain).toEqual([])
})
