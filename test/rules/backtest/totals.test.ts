// The totals of a backtest.
import { expect, it } from 'vitest'
import type { BacktestOutcome, BacktestRuleOutcome } from '../../../src/rules/backtest/totals.ts'
import { totals } from '../../../src/rules/backtest/totals.ts'

const ofRule = (fields: Partial<BacktestRuleOutcome>): BacktestRuleOutcome => ({
  ...{ rule: 'one', file: 'f.yml', verdict: 'true', actions: [], unknown: [] },
  ...fields,
})
const outcome = (iid: number, rule: Partial<BacktestRuleOutcome>, seen?: boolean): BacktestOutcome => ({
  ...{ iid, title: '', state: 'merged', decided: rule.unknown === undefined, rules: [ofRule(rule)] },
  ...(seen === undefined ? {} : { seen }),
})
const action = (result: 'call' | 'unknown') => ({ action: 'approve', result, detail: '' })

it('counts verdicts, actions and the unknown facts that matter, the most frequent first', () => {
  const found = totals([
    outcome(1, { actions: [action('call')] }, true),
    outcome(2, { actions: [action('unknown')], unknown: ['labels', 'draft', 'draft'] }, false),
    outcome(3, { verdict: 'unknown', unknown: ['labels'] }),
    outcome(4, { verdict: 'false' }),
    outcome(5, { rule: 'other', verdict: 'waits' }),
  ])
  expect(found).toMatchObject({
    ...{ evaluated: 5, decided: 3, seen: { kept: 1, not: 1 } },
    rules: [
      { rule: 'one', matched: 2, notMatched: 1, unknown: 1, actions: { approve: { done: 1, unknown: 1 } } },
      { rule: 'other', forEvents: true, matched: 0 },
    ],
  })
  expect(Object.entries(found.unknownFacts)).toEqual([
    ['labels', 2],
    ['draft', 1],
  ])
})
