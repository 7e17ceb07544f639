// At rest: what a sweep may leave alone, because any change that matters shows.

import { isShownByUpdatedAt } from '../../../src/rules/engine/triggers.ts'
import type { Call } from '../../../src/rules/types.ts'
import { answer, answers, came, decideRule, pipeline, refused } from '../world.ts'

const running = pipeline('running')
const rests = (conditions: string, actions = '{ subscribe: true }', fields = {}) =>
  isShownByUpdatedAt(decideRule(conditions, actions, { answers: answers(fields) }))

describe('at rest is', () => {
  test.each([
    ['a rule on what shows', '{ title: { matches: "^Add" }, draft: false }'],
    ['one that stays false by what shows, whatever its pipeline does', '{ author: bob, pipeline: success }'],
    ['an any that stays true by what shows', '{ any: [{ author: alice }, { pipeline: success }] }'],
    ['one that a timer follows', '{ age: { older_than: 9000h } }'],
  ])('%s', (_case, conditions) => {
    expect(rests(conditions)).toBe(true)
  })
  test('a decision without rules', () => {
    expect(isShownByUpdatedAt({ rules: [], responses: [] })).toBe(true)
  })
})

test.each([
  ['{ pipeline: success }', true],
  ['{ pipeline: { of_fork: success } }', false],
  ['{ upvotes: { at_least: 5 } }', false],
])('where pipelines are listed too, %s is at rest: %s', (conditions, expected) => {
  const decision = decideRule(conditions, '{ subscribe: true }', { answers: answers(running) })
  expect(isShownByUpdatedAt(decision, { seesPipelines: true })).toBe(expected)
})

describe('not at rest is', () => {
  test.each([
    ['a rule that waits for its pipeline', '{ author: alice, pipeline: success }'],
    ['one that is held by an approval', '{ approvals_left: 0 }'],
    ['one that may wait for another merge request', '{ dependencies_merged: true }'],
    ['one on votes', '{ upvotes: { at_least: 5 } }'],
    ['an any none of which holds, one unseen', '{ any: [{ author: bob }, { pipeline: success }] }'],
    ['a not over what does not show', '{ not: { pipeline: failed } }'],
  ])('%s', (_case, conditions) => {
    expect(rests(conditions, undefined, running)).toBe(false)
  })
  test('one on the members of a group', () => {
    const given = {
      answers: { ...answers(), 'groupDirectMembers@hotel': answer([{ username: 'bob', state: 'active' }]) },
    }
    expect(isShownByUpdatedAt(decideRule('{ author: { members_of: hotel } }', '{ subscribe: true }', given))).toBe(
      false,
    )
  })
  test('a rule that holds, and whose pipeline may still turn red', () => {
    expect(rests('{ pipeline: success }', '{ approve: true }')).toBe(false)
  })
  test('an accept that a conflict holds back: the service’s word on it does not show', () => {
    expect(rests('{ author: alice }', '{ accept: {} }', { merge_status: 'cannot_be_merged' })).toBe(false)
  })
  test('an accept that waits', () => {
    expect(rests('{ author: alice }', '{ accept: {} }', running)).toBe(false)
  })
  test.each(['[other]', '[ready]'])('a status, which a new pipeline of the same head lacks: labels %s', (labels) => {
    expect(rests(`{ labels: ${labels} }`, '{ status: { name: a } }', { labels: ['ready'] })).toBe(false)
  })
  test.each([
    ['refused', false],
    ['not_now', false],
    ['done', true],
    ['already', true],
  ] as const)('an approval whose withdrawal came to: %s (%s means at rest)', (result, expected) => {
    const call: Call = {
      ...{ to: 'service', endpoint: 'mergeRequests.unapprove', params: {} },
      ...{ action: 'approve', rules: [] },
    }
    expect(isShownByUpdatedAt({ rules: [], paused: 'it is off', responses: [came(call, result)] })).toBe(expected)
  })
  test.each([
    [['waits', 'nothing_to_do'], false],
    [['nothing_to_do'], true],
  ] as const)(
    'an event’s rule that no longer matches, while an action waits: %j (%s means at rest)',
    (results, expected) => {
      const [rule = expect.fail()] = decideRule('{ title: { matches: "^Mend" } }', '{ subscribe: true }').rules
      const actions = results.map((result) => ({ action: 'subscribe', result, detail: '' }))
      const rules = [
        {
          ...rule,
          event: { id: 'd', event: { kind: 'note.create', at: '2026-11-21T12:00:00Z', actor: {} } },
          verdict: 'false' as const,
          actions,
        },
      ]
      expect(isShownByUpdatedAt({ rules, responses: [] })).toBe(expected)
    },
  )
  test('a rule that one source keeps unknown for good', () => {
    const given = {
      ...answers(),
      approvals: refused(403),
      changes: answer({ changes: [] }),
    }
    expect(isShownByUpdatedAt(decideRule('{ approvals_left: 0 }', '{ subscribe: true }', { answers: given }))).toBe(
      false,
    )
  })
})
