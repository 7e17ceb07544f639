// What-if: what is supposed goes over what the service says, and costs no reading.
import { describe, expect, it } from 'vitest'
import { decide } from '../../../../src/rules/engine/decide.ts'
import type { Override } from '../../../../src/rules/types.ts'
import { answers, decideRule, file, input, rule, rules, sent } from '../../world.ts'

const supposing = (...overrides: Override[]) => ({ overrides, answers: answers({ labels: ['a', 'hold'] }) })
const red: Override = { fact: 'pipeline', is: { is: 'known', value: 'failed', complete: true, remark: 'overridden' } }

describe('an overridden fact', () => {
  it('is evaluated in place of the service’s, and the trace says that it is overridden', () => {
    const decision = decideRule('{ pipeline: failed }', '{ subscribe: true }', supposing(red))
    expect(decision.rules[0]?.conditions).toMatchObject({ verdict: 'true', actual: '"failed" (overridden)' })
    expect(sent(decision)).toEqual([['mergeRequests.subscribe', {}]])
  })
  it('holds for what an action requires as well', () => {
    expect(sent(decideRule('{ author: alice }', '{ accept: true }', supposing(red)))).toEqual([])
  })
  it('is not read', () => {
    const result = decide(
      input([file(rules(rule('{ pipeline: success }', '{ subscribe: true }')))], { overrides: [red], answers: {} }),
    )
    expect(result).toMatchObject({ decision: { rules: [{ verdict: 'false' }] } })
  })
  it('may be unknown', () => {
    const unknown: Override = { fact: 'author', is: { is: 'absent', reason: 'it is overridden' } }
    expect(decideRule('{ author: alice }', '{ subscribe: true }', supposing(unknown)).rules[0]?.verdict).toBe('unknown')
  })
  it('is of no event', () => {
    expect(decideRule('{ author: alice }', '{ subscribe: true }', supposing({ fact: 'actor', is: red.is }))).toEqual(
      decideRule('{ author: alice }', '{ subscribe: true }', supposing()),
    )
  })
})

describe('an overridden list', () => {
  const labels = (...overrides: Override[]) =>
    decideRule('{ labels: { any: x } }', '{ subscribe: true }', supposing(...overrides)).rules[0]
  it.each<[string, Override[], string]>([
    ['adds', [{ fact: 'labels', add: ['b', 'a'] }], '"a", "hold", "b" (overridden)'],
    ['removes', [{ fact: 'labels', remove: ['hold', 'other'] }], '"a" (overridden)'],
    [
      'goes over an earlier one',
      [
        { fact: 'labels', add: ['b'] },
        { fact: 'labels', remove: ['b', 'a'] },
      ],
      '"hold" (overridden)',
    ],
    [
      'goes over a supposed value',
      [
        { fact: 'labels', is: { is: 'known', value: ['c'], complete: true, remark: 'overridden' } },
        { fact: 'labels', add: ['d'] },
      ],
      '"c", "d" (overridden)',
    ],
    [
      'is forgotten by a later value',
      [
        { fact: 'labels', add: ['d'] },
        { fact: 'labels', is: { is: 'known', value: ['c'], complete: true } },
      ],
      '"c"',
    ],
  ])('%s', (_what, overrides, actual) => {
    expect(labels(...overrides)?.conditions.actual).toBe(actual)
  })
  it('leaves what is unknown unknown, and is read where it was not', () => {
    const add: Override = { fact: 'labels', add: ['x'] }
    const given = { ...supposing(add), answers: { mergeRequest: { ok: false as const, reason: 'gone' } } }
    expect(decideRule('{ labels: { any: x } }', '{ subscribe: true }', given).rules[0]?.verdict).toBe('unknown')
    expect(
      decide(input([file(rules(rule('{ labels: { any: x } }', '{ todo: true }')))], { overrides: [add], answers: {} })),
    ).toEqual({
      needs: ['mergeRequest'],
    })
  })
})
