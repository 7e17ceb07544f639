// Planning: whose call it is, who is lost, what restrains what, and what one rule may do for another.
import type { SourceAnswers } from '../../../src/rules/types.ts'
import { happened, onEvent, overTime, whileOn } from '../over-time.ts'
import {
  answers,
  approvedByBot,
  decidedBy,
  head,
  input,
  outcomes,
  refused,
  rememberDone,
  rule,
  rules,
  sent,
} from '../world.ts'

describe('the restraining action wins, whichever rule comes first', () => {
  const waiting = { merge_when_pipeline_succeeds: true }
  it.each<[string, string, [string, object][], Record<string, unknown>, SourceAnswers]>([
    ['unapprove', 'approve', [], {}, {}],
    ['unapprove', 'approve', [['mergeRequests.unapprove', {}]], {}, approvedByBot],
    ['cancel_accept', 'accept', [], {}, {}],
    ['cancel_accept', 'accept', [['mergeRequests.cancelMergeWhenPipelineSucceeds', {}]], waiting, {}],
    ['close', 'accept', [['mergeRequests.update', { state_event: 'close' }]], {}, {}],
    ['close', 'approve', [['mergeRequests.update', { state_event: 'close' }]], {}, {}],
    ['close', 'rebase', [['mergeRequests.update', { state_event: 'close' }]], {}, {}],
    ['unsubscribe', 'subscribe', [['mergeRequests.unsubscribe', {}]], { subscribed: true }, {}],
    ['unsubscribe', 'subscribe', [], { subscribed: false }, {}],
  ])('%s over %s', (restraining, permitting, expected, fields, other) => {
    const texts = [
      rule('{ state: opened }', `{ ${restraining}: true }`, 'restrains'),
      rule('{ author: alice }', `{ ${permitting}: true }`, 'permits'),
    ]
    for (const order of [texts, [...texts].reverse()]) {
      const mr = overTime(fields, other)
      const first = mr.turn(order)
      expect(sent(first)).toEqual(expected)
      expect(outcomes(first, order.indexOf(texts[1] ?? ''))).toEqual([
        `overruled: rules/test.yml#restrains requests ${restraining}, which goes first`,
      ])
      expect([mr.sends(order), mr.sends(order)]).toEqual([[], []])
    }
  })
  it('also where it cannot be known what it would do', () => {
    const text = rules(
      rule('{ author: alice }', '{ cancel_accept: true }'),
      rule('{ author: alice }', '{ accept: true }', 'b'),
    )
    const decision = decidedBy(text, { answers: answers({ merge_when_pipeline_succeeds: undefined }) })
    expect(decision.calls).toEqual([])
    expect(decision.rules.map((each) => each.actions[0]?.result)).toEqual(['blocked', 'overruled'])
  })
  it.each(['accept', 'approve', 'rebase'])(
    'also where it waits: %s is not done while the limit of new rules keeps a close back',
    (permitting) => {
      const texts = [
        onEvent('push', '{ close: true }', 'closes'),
        rule('{ author: alice }', `{ ${permitting}: true }`, 'permits'),
      ]
      const newRuleLimit = { perHour: 1, newRules: ['rules/test.yml#closes'], full: { close: '2026-01-11T00:20:00Z' } }
      const given = { newRuleLimit, events: [happened('push')] }
      const decision = decidedBy(rules(...texts), given)
      expect(decision.rules.map((each) => each.actions[0]?.result)).toEqual(['waits', 'overruled'])
      expect(decision.calls).toEqual([])
      expect(sent(decidedBy(rules(texts[1] ?? ''), given))).toHaveLength(1)
    },
  )
  it('but a close that a person undid restrains no more', () => {
    const texts = [
      rule('{ author: alice }', '{ close: true }', 'closes'),
      rule('{ author: alice }', '{ accept: true }', 'merges'),
    ]
    const mr = overTime()
    expect(mr.sends(texts)).toEqual([['mergeRequests.update', { state_event: 'close' }]])
    expect(mr.sends(texts)).toEqual([])
    mr.person({ state: 'opened' })
    expect(mr.sends(texts)).toEqual([['mergeRequests.accept', { sha: head }]])
  })
  it('and is no reason to withdraw what it does not speak of', () => {
    const decision = decidedBy(
      rules(rule('{ draft: false }', '{ unapprove: true }'), rule('{ draft: false }', '{ accept: true }', 'b')),
    )
    expect(sent(decision)).toEqual([['mergeRequests.accept', { sha: head }]])
  })
})

describe('a one-way action', () => {
  const text = rules(rule('{ draft: false }', '{ label: { add: ready } }'))
  const at = (memory: ReturnType<typeof input>['memory'], fields = {}) =>
    decidedBy(text, { memory, answers: answers(fields) })
  const first = at(input([]).memory)
  const memory = rememberDone(input([]).memory, first)

  it('is not done again after the rule was only unknown in between', () => {
    const unknown = decidedBy(text, { memory, answers: { ...answers(), mergeRequest: refused(403) } })
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

it.each([
  ['assign: carol', { assignee: null }],
  ['close: true', { state: 'opened' }],
  ['label: { add: ready }', { labels: ['on'] }],
  ['milestone: "17.0"', { milestone: null }],
  ['subscribe: true', { subscribed: false }],
  ['todo: true', {}],
])('%s is done once while the rule matches: a person who changes it wins', (action, changed) => {
  const texts = [whileOn(`{ ${action} }`)]
  const mr = overTime({ labels: ['on'] })
  expect(mr.sends(texts)).toHaveLength(1)
  mr.person(changed)
  expect(mr.sends(texts)).toEqual([])
  mr.person({ labels: [] })
  mr.turn(texts)
  mr.person({ labels: ['on'] })
  expect(mr.sends(texts)).toHaveLength(1)
})
