// What a rule that is unknown keeps from being done.
import { describe, expect, it } from 'vitest'
import type { SourceAnswers } from '../../../../src/rules/types.ts'
import { happened, onEvent } from '../../over-time.ts'
import { answer, answers, approvedByBot, changesAnswer, decidedBy, head, rule, rules, sent } from '../../world.ts'

describe('a rule that withdraws, while it is unknown', () => {
  const permits = rule('{ author: alice }', '{ approve: true, accept: true }', 'permits')
  const calls = (takesBack: string, fields: object, other: SourceAnswers = {}, memory = {}) =>
    decidedBy(rules(takesBack, permits), {
      memory: { rules: {}, pushes: [], ...memory },
      answers: answers({ ...fields }, other),
    })
  const ticket = rule(
    '{ not: { description: { matches: "Ticket: [A-Z]+" } } }',
    '{ unapprove: true, cancel_accept: true }',
    'ticket',
  )
  const infra = rule('{ changed_files: { any: "infra/**" } }', '{ unapprove: true, cancel_accept: true }', 'infra')
  const doc = rule(
    '{ milestone: "17", pushed_by: { any: [mallory] }, labels: { any: [hold] } }',
    '{ cancel_accept: true }',
    'hold',
  )

  it('is not evaded by a text that is too long to be matched', () => {
    expect(sent(calls(ticket, { description: 'Ticket: ABC' }))).toHaveLength(2)
    const decision = calls(ticket, { description: 'x'.repeat(100_001) })
    expect(decision.calls).toEqual([])
    expect(decision.rules[1]?.actions).toMatchObject([
      { action: 'approve', result: 'overruled', detail: expect.stringContaining('#ticket requests unapprove') },
      { action: 'accept', result: 'overruled', detail: expect.stringContaining('it is unknown whether') },
    ])
  })
  it('is not evaded by changed files of another version, and withdraws what stands', () => {
    const other = { ...approvedByBot, changes: changesAnswer([], { sha: 'c'.repeat(40) }) }
    expect(sent(calls(infra, {}, other, { of: { approve: head } }))).toEqual([['mergeRequests.unapprove', {}]])
  })
  it('restrains nothing where another of its conditions is false', () => {
    expect(sent(calls(doc, {}))).toHaveLength(2)
  })
  it('restrains nothing where it is for an event: anybody may cause one', () => {
    const hold = onEvent('note.create', '{ cancel_accept: true }', 'hold').replace(
      '    then',
      '    if: { command: [hold] }\n    then',
    )
    const events = [happened('note.create', 'd1', { note: { id: 17 } })]
    const stranger = { 'note@17': answer({ id: 17, body: 'hi', author: { id: 99 }, system: false }) }
    const decision = decidedBy(rules(hold, permits), { events, answers: answers({}, stranger) })
    expect(decision.rules[0]?.verdict).toBe('unknown')
    expect(sent(decision)).toHaveLength(2)
  })
})
