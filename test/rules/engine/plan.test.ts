// Planning: whose call it is, who is lost, what restrains what, and what one rule may do for another.
import { describe, expect, it } from 'vitest'
import { actionNamed } from '../../../src/rules/actions/index.ts'
import { emptyMemory } from '../../../src/rules/engine/update-memory.ts'
import type { SourceAnswers } from '../../../src/rules/types.ts'
import { happened, onEvent, overTime } from '../over-time.ts'
import {
  answer,
  answers,
  bot,
  decided,
  decidedBy,
  file,
  head,
  input,
  rememberDone,
  rule,
  rules,
  sent,
} from '../world.ts'

const two = (first: string, second: string) =>
  file(rules(rule('{ state: opened }', first, 'one'), rule('{ author: alice }', second, 'two')))
const results = (...given: Parameters<typeof two>) => {
  const decision = decided(input([two(...given)]))
  return {
    results: decision.rules.map((each) => each.actions[0]?.result),
    sent: sent(decision).map(([endpoint]) => endpoint),
  }
}

describe('of two rules', () => {
  it('that want different values the first wins', () => {
    const decision = decided(input([two('{ estimate: 1h }', '{ estimate: 2h }')]))
    expect(sent(decision)).toEqual([['mergeRequests.timeEstimate', { duration: '1h' }]])
    expect(decision.rules[1]?.actions[0]).toEqual({
      action: 'estimate',
      result: 'lost',
      detail: 'the rule rules/test.yml#one came first',
    })
  })
  it('the first still wins after it acted', () => {
    const given = input([two('{ estimate: 1h }', '{ estimate: { duration: 2h, overwrite: true } }')])
    const memory = rememberDone(emptyMemory(), decided(given))
    const again = decided({ ...given, memory, answers: answers({ time_stats: { time_estimate: 3600 } }) })
    expect(again.calls).toEqual([])
    expect(again.rules.map((each) => each.actions[0]?.result)).toEqual(['done_before', 'lost'])
  })
  it('the second acts where the first is blocked', () => {
    const given = input([two('{ accept: true }', '{ accept: { pipeline: none } }')], {
      answers: answers({ head_pipeline: null }),
    })
    const decision = decided(given)
    expect(decision.rules.map((each) => each.actions[0]?.result)).toEqual(['waits', 'call'])
    expect(decision.calls.map((call) => call.rules)).toEqual([['rules/test.yml#two']])
  })
  it('the first still wins while the service waits for it', () => {
    const running = { head_pipeline: { id: 5, sha: head, ref: 'feature', status: 'running' } }
    const texts = [
      rule('{ state: opened }', '{ accept: { when: pipeline_succeeds } }', 'one'),
      rule('{ state: opened }', '{ accept: { pipeline: none, squash: true } }', 'two'),
    ]
    const mr = overTime(running)
    expect(mr.sends(texts)).toEqual([['mergeRequests.accept', { sha: head, merge_when_pipeline_succeeds: true }]])
    const later = mr.turn(texts)
    expect(later.calls).toEqual([])
    expect(later.rules.map((each) => each.actions[0]?.result)).toEqual(['waits', 'lost'])
  })
  it('that want the same have one call', () => {
    expect(results('{ subscribe: true }', '{ subscribe: true }')).toEqual({
      results: ['call', 'call'],
      sent: ['mergeRequests.subscribe'],
    })
  })
})

it('an action is found by its own name only', () => {
  expect(actionNamed('label')?.name).toBe('label')
  expect(actionNamed('constructor')).toBeUndefined()
})

describe('the restraining action wins, whichever rule comes first', () => {
  const approved = { approvals: answer({ approvals_left: 0, approved_by: [{ user: bot }], user_has_approved: true }) }
  const waiting = { merge_when_pipeline_succeeds: true }
  it.each<[string, string, [string, object][], Record<string, unknown>, SourceAnswers]>([
    ['unapprove', 'approve', [], {}, {}],
    ['unapprove', 'approve', [['mergeRequests.unapprove', {}]], {}, approved],
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
      const lost = first.rules.find(({ name }) => name === 'permits')?.actions[0]
      expect(lost).toEqual({
        action: permitting,
        result: 'lost',
        detail: `rules/test.yml#restrains asks to ${restraining}, which goes before it`,
      })
      expect([mr.sends(order), mr.sends(order)]).toEqual([[], []])
    }
  })
  it('also where it cannot be known what it would do', () => {
    const decision = decided(
      input([two('{ cancel_accept: true }', '{ accept: true }')], {
        answers: answers({ merge_when_pipeline_succeeds: undefined }),
      }),
    )
    expect(decision.calls).toEqual([])
    expect(decision.rules.map((each) => each.actions[0]?.result)).toEqual(['blocked', 'lost'])
  })
  it.each(['accept', 'approve', 'rebase'])(
    'also where it waits: %s is not done while the limit of new rules keeps a close back',
    (permitting) => {
      const texts = [
        onEvent('push', '{ close: true }', 'closes'),
        rule('{ author: alice }', `{ ${permitting}: true }`, 'permits'),
      ]
      const newRuleLimit = { perHour: 1, newRules: ['rules/test.yml#closes'], full: { close: '2026-01-11T00:20:00Z' } }
      const decision = decidedBy(rules(...texts), { newRuleLimit: newRuleLimit, events: [happened('push')] })
      expect(decision.rules.map((each) => each.actions[0]?.result)).toEqual(['waits', 'lost'])
      expect(decision.calls).toEqual([])
      expect(
        sent(decidedBy(rules(texts[1] ?? ''), { newRuleLimit: newRuleLimit, events: [happened('push')] })),
      ).toHaveLength(1)
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
  it('and is no reason to take back what it does not speak of', () => {
    expect(results('{ unapprove: true }', '{ accept: true }').sent).toEqual(['mergeRequests.accept'])
  })
})

describe('the update of one rule', () => {
  const events = [happened('push')]
  const turn = (...updates: string[]) =>
    overTime().turn(
      updates.map((each, index) => onEvent('push', `{ update: ${each} }`, `rule ${index}`)),
      { events },
    )
  it('leaves other fields to other rules', () => {
    const decision = turn('{ title: One }', '{ lock_discussion: true }')
    expect(sent(decision)).toEqual([['mergeRequests.update', { title: 'One', discussion_locked: true }]])
    expect(decision.calls[0]?.rules).toEqual(['rules/test.yml#rule 0@d1', 'rules/test.yml#rule 1@d1'])
  })
  it('of a field that another rule sets is lost, and says so', () => {
    const decision = turn('{ title: One }', '{ title: Two, lock_discussion: true }', '{ title: One }')
    expect(sent(decision)).toEqual([['mergeRequests.update', { title: 'One' }]])
    expect(decision.rules.map((each) => each.actions[0]?.result)).toEqual(['call', 'lost', 'call'])
    expect(decision.rules[1]?.actions[0]?.detail).toBe('the rule rules/test.yml#rule 0 came first')
  })
  it('is shared where both say the same', () => {
    const decision = turn('{ title: "By {{ actor }}" }', '{ title: "By {{ actor }}" }')
    expect(sent(decision)).toEqual([['mergeRequests.update', { title: 'By alice' }]])
    expect(decision.calls[0]?.rules.length).toBe(2)
  })
  it('says for the first of its events what it says', () => {
    const text = onEvent('push', '{ update: { title: "By {{ actor }}" } }')
    const bob = happened('push', 'd2', { actor: { id: 3, username: 'bob' } })
    expect(overTime().sends([text], { events: [...events, bob] })).toEqual([
      ['mergeRequests.update', { title: 'By alice' }],
    ])
  })
  it('is lost also where the field is as the first rule wants it', () => {
    expect(sent(turn('{ title: Add a door }', '{ title: Two }'))).toEqual([])
  })
})
