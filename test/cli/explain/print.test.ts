// What `bellhop explain` prints of a decision: calls that may have been done or not are said in plain words, for people and for programs.
import { expect, test } from 'vitest'
import { type Report, reportJson, reportLines } from '../../../src/cli/explain/print.ts'

const report = (uncertain?: string[]): Report => ({
  mergeRequest: { project: 1, iid: 42, title: 'Work', state: 'opened', url: null },
  decision: {
    rules: [],
    calls: [],
    answers: [],
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

test('a call that may have been done or not is told, and who can tell', () => {
  expect(reportLines(report([lost])).join('\n')).toContain(`not certain: ${lost}. Check whether it was done.`)
  expect(reportJson(report([lost])).uncertain).toEqual([lost])
})

test('where nothing is uncertain, nothing is said of it', () => {
  expect(reportLines(report()).join('\n')).not.toContain('not certain')
  expect(reportJson(report()).uncertain).toEqual([])
})
