// The totals of a backtest.
import {
  type BacktestOutcome,
  type BacktestRuleOutcome,
  outcomeOf,
  thorough,
  totals,
} from '../../../src/rules/backtest/totals.ts'
import { mergeRequestSource } from '../../../src/rules/facts/definition/sources.ts'
import type { DecideInput } from '../../../src/rules/types.ts'
import { answers, decided, file, input, refused, rule, rules } from '../world.ts'

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

const unknown = { is: 'absent' as const, reason: 'not known of the past' }
const one = { iid: 7, title: 'One', state: 'merged' }

function evaluated(text: string, changes: Partial<DecideInput> = {}) {
  const given = input(thorough([file(text)]), { overrides: [{ fact: 'labels', is: unknown }], ...changes })
  return outcomeOf(one, decided(given), given)
}

describe('a past merge request', () => {
  it('is decided where no rule depends on an unknown fact', () => {
    const text = rules(rule('{ state: opened }', '{ subscribe: true }'))
    expect(evaluated(text)).toMatchObject({
      ...one,
      decided: true,
      rules: [{ verdict: 'true', actions: [{ action: 'subscribe', result: 'call' }], unknown: [] }],
    })
  })

  it('is not decided where a rule depends on one', () => {
    const text = rules(rule('{ state: opened, labels: [ready] }', '{ subscribe: true }'))
    expect(evaluated(text)).toMatchObject({ decided: false, rules: [{ verdict: 'unknown', unknown: ['labels'] }] })
  })

  it('is not decided where it could not be read', () => {
    const text = rules(rule('{ state: opened }', '{ subscribe: true }'))
    const gone = { ...answers(), [mergeRequestSource]: refused(404, 'gone') }
    expect(evaluated(text, { answers: gone }).decided).toBe(false)
  })

  it('leaves rules for events out', () => {
    const text = rules(rule('{ state: opened }', '{ subscribe: true }').replace('    if:', '    on: push\n    if:'))
    expect(evaluated(text).rules).toMatchObject([{ verdict: 'waits', actions: [] }])
  })

  it('shows whether the other conditions of a rule that cannot match are known', () => {
    const [trace] = decided(
      input(thorough([file(rules(rule('{ state: closed, draft: false }', '{ subscribe: true }')))])),
    ).rules
    expect(trace?.verdict).toBe('false')
    expect(JSON.stringify(trace?.conditions)).toContain('"draft"')
  })
})
