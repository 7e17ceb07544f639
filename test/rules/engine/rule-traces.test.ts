// The trace of a rule: whether it became true, which decides whether a one-way action is done again.
import { describe, expect, it } from 'vitest'
import { answers, decidedBy, input, rememberDone, rule, rules, sent } from '../world.ts'

describe('a one-way action', () => {
  const text = rules(rule('{ draft: false }', '{ label: { add: ready } }'))
  const at = (memory: ReturnType<typeof input>['memory'], fields = {}) =>
    decidedBy(text, { memory, answers: answers(fields) })
  const first = at(input([]).memory)
  const memory = rememberDone(input([]).memory, first)

  it('is done when the rule becomes true', () => {
    expect(first.rules[0]).toMatchObject({ became: true, verdict: 'true' })
    expect(sent(first)).toEqual([['mergeRequests.update', { add_labels: 'ready' }]])
  })
  it('is not done again while it stays true, though a person undid it', () => {
    const again = at(memory, { labels: [] })
    expect(again.rules[0]).toMatchObject({ became: false, actions: [{ result: 'done_before' }] })
    expect(again.calls).toEqual([])
  })
  it('is done again after the rule was false in between', () => {
    const between = rememberDone(memory, at(memory, { work_in_progress: true }))
    expect(at(between).calls).toHaveLength(1)
  })
  it('is not done again after the rule was only unknown in between', () => {
    const unknown = decidedBy(text, { memory, answers: { ...answers(), mergeRequest: { ok: false, reason: '403' } } })
    expect(unknown.rules[0]?.verdict).toBe('unknown')
    expect(at(rememberDone(memory, unknown)).calls).toEqual([])
  })
  it('is done again when the rule changed', () => {
    const changed = rules(rule('{ draft: false }', '{ label: { add: go } }'))
    const decision = decidedBy(changed, { memory })
    expect(decision.rules[0]?.became).toBe(true)
    expect(sent(decision)).toEqual([['mergeRequests.update', { add_labels: 'go' }]])
  })
})
