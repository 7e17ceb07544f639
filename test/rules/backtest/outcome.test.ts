// What a past merge request would have become: decided, or unknown where facts are.
import { describe, expect, it } from 'vitest'
import { outcomeOf, thorough } from '../../../src/rules/backtest/totals.ts'
import { mergeRequestSource } from '../../../src/rules/facts/definition/sources.ts'
import type { DecideInput } from '../../../src/rules/types.ts'
import { answers, decided, file, input, rule, rules } from '../world.ts'

const unknown = { is: 'absent' as const, reason: 'not known of the past' }
const one = { iid: 7, title: 'One', state: 'merged' }

function outcome(text: string, changes: Partial<DecideInput> = {}) {
  const given = input(thorough([file(text)]), { overrides: [{ fact: 'labels', is: unknown }], ...changes })
  return outcomeOf(one, decided(given), given)
}

describe('a past merge request', () => {
  it('is decided where no rule depends on an unknown fact', () => {
    const text = rules(rule('{ state: opened }', '{ subscribe: true }'))
    expect(outcome(text)).toMatchObject({
      ...one,
      decided: true,
      rules: [{ verdict: 'true', actions: [{ action: 'subscribe', result: 'call' }], unknown: [] }],
    })
  })

  it('is not decided where a rule depends on one', () => {
    const text = rules(rule('{ state: opened, labels: [ready] }', '{ subscribe: true }'))
    expect(outcome(text)).toMatchObject({ decided: false, rules: [{ verdict: 'unknown', unknown: ['labels'] }] })
  })

  it('is not decided where it could not be read', () => {
    const text = rules(rule('{ state: opened }', '{ subscribe: true }'))
    const refused = { ...answers(), [mergeRequestSource]: { ok: false as const, status: 404, reason: 'gone' } }
    expect(outcome(text, { answers: refused }).decided).toBe(false)
  })

  it('leaves rules for events out', () => {
    const text = rules(rule('{ state: opened }', '{ subscribe: true }').replace('    if:', '    on: push\n    if:'))
    expect(outcome(text).rules).toMatchObject([{ verdict: 'waits', actions: [] }])
  })

  it('shows whether the other conditions of a rule that cannot match are known', () => {
    const [trace] = decided(
      input(thorough([file(rules(rule('{ state: closed, draft: false }', '{ subscribe: true }')))])),
    ).rules
    expect(trace?.verdict).toBe('false')
    expect(JSON.stringify(trace?.conditions)).toContain('"draft"')
  })
})
