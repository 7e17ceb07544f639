// An action that restrains another withdraws its earlier effect.
import { describe, expect, it } from 'vitest'
import { emptyMemory } from '../../../../src/rules/engine/update-memory.ts'
import { happened, onEvent } from '../../over-time.ts'
import { answers, approvedByBot, decidedBy, head, rule, rules, sent } from '../../world.ts'

const newRuleLimit = { perHour: 1, newRules: ['rules/test.yml#closes'], full: { close: '2026-01-11T00:20:00Z' } }
const waiting = {
  merge_when_pipeline_succeeds: true,
  head_pipeline: { id: 5, sha: head, ref: 'feature', status: 'running' },
}
const closing = [
  ['state rule', rule('{ author: alice }', '{ close: true }', 'closes')],
  ['event rule', onEvent('push', '{ close: true }', 'closes')],
] as const

describe.each(closing)('a close of a %s that the new-rule limit holds back', (_kind, closes) => {
  const events = [happened('push')]
  it('does not keep an approval from being withdrawn', () => {
    const texts = [closes, rule('{ draft: true }', '{ approve: true }', 'approves')]
    const memory = { ...emptyMemory(), of: { approve: head } }
    const given = { newRuleLimit, events, memory, answers: answers({}, approvedByBot) }
    expect(sent(decidedBy(rules(...texts), given))).toEqual([['mergeRequests.unapprove', {}]])
  })
  it.each([
    ['the rule that requested it does not match', '{ draft: true }'],
    // Closing restrains accept.
    ['its own rule still matches', '{ author: alice }'],
  ])('cancels a waiting merge while %s', (_name, condition) => {
    const texts = [closes, rule(condition, '{ accept: { when: pipeline_succeeds } }', 'merges')]
    const memory = { ...emptyMemory(), of: { accept: { waitingSha: head } } }
    expect(sent(decidedBy(rules(...texts), { newRuleLimit, events, memory, answers: answers(waiting) }))).toEqual([
      ['mergeRequests.cancelMergeWhenPipelineSucceeds', {}],
    ])
  })
})

it('an approval whose response was lost, and that came to stand after an event withdrew approvals, is withdrawn', () => {
  const texts = [
    rule('{ author: alice }', '{ approve: true }', 'approves'),
    onEvent('note.update', '{ unapprove: true }', 'withdraws'),
  ]
  // The approve was sent, its answer lost; the unapprove found nothing yet.
  const memory = { ...emptyMemory(), of: { approve: head }, restrained: { approve: { head, by: 'withdraws' } } }
  expect(sent(decidedBy(rules(...texts), { memory, answers: answers({}, approvedByBot) }))).toEqual([
    ['mergeRequests.unapprove', {}],
  ])
})
