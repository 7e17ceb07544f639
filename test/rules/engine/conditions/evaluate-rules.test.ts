// Evaluating all rules: each verdict is that of its trace, events have views of their own, and what is settled beforehand is not looked at.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateRules } from '../../../../src/rules/engine/conditions/evaluate-rules.ts'
import { ruleEvaluations } from '../../../../src/rules/engine/conditions/rules-in-force.ts'
import { createView } from '../../../../src/rules/facts/reading/fact-view.ts'
import type { DecideInput } from '../../../../src/rules/types.ts'
import { alice, events, files, hostileAnswers, usualAnswers } from '../../arbitraries.ts'
import { file, head, input, rule, rules } from '../../world.ts'

function evaluateAll(given: DecideInput, at: string | null = head) {
  const all = ruleEvaluations(given)
  const evaluating = evaluateRules(all, given, createView(given), { head: at })
  return { all, evaluating, traces: all.map((_, place) => evaluating.trace(place).trace) }
}

describe('evaluating all rules', () => {
  it('gives the verdict that the trace gives', () => {
    fc.assert(
      fc.property(files, fc.oneof(hostileAnswers, usualAnswers), events, (inForce, answers, happened) => {
        const { evaluating, traces } = evaluateAll(input(inForce, { answers, events: happened }))
        expect(evaluating.verdicts).toEqual(traces.map(({ verdict }) => verdict))
      }),
      { numRuns: 60 },
    )
  })
  it('gives each event its own view, and none to a rule without one', () => {
    const text = rules('  - name: reviewed\n    on: push\n    if: { ref: main }\n    then: { subscribe: true }\n')
    const push = (id: string, ref: string) => ({
      id,
      event: { kind: 'push', actor: alice, at: '2026-01-11T00:00:00Z', ref },
    })
    expect(
      evaluateAll(input([file(text)], { events: [push('d1', 'main'), push('d2', 'other')] })).evaluating.verdicts,
    ).toEqual(['true', 'false'])
    expect(evaluateAll(input([file(text)])).traces).toMatchObject([
      { condition: 'on', verdict: 'false', actual: 'no such event' },
    ])
  })
  it('is not done for a rule that is off, nor for a request whose head moved', () => {
    const off = { mode: 'off' as const, includeFrom: [], newRuleLimit: 0 }
    const text = rules(rule('{ state: opened }', '{ subscribe: true }'))
    expect(evaluateAll(input([file(text)], { policy: off })).traces).toMatchObject([
      { condition: 'mode', verdict: 'false' },
    ])

    const merge = file(rules('  - name: merge\n    command: merge\n    then: { accept: true }\n'))
    const occurrence = {
      id: 'd1',
      event: { kind: 'note.create', actor: alice, at: '2026-01-11T00:00:00Z', note: { id: 17 } },
    }
    const fingerprint = merge.rules.rules[0]?.fingerprint ?? expect.fail()
    const standing = [{ rule: 'rules/test.yml#merge', fingerprint, head, occurrence, actions: ['accept'] }]
    const given = input([merge], { memory: { rules: {}, pushes: [], standing } })
    expect(evaluateAll(given, 'b'.repeat(40)).traces).toMatchObject([
      { condition: 'head', verdict: 'false', expected: head.slice(0, 8) },
    ])
    expect(evaluateAll(given, head).traces[0]?.condition).not.toBe('head')
  })
})
