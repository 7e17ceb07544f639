// People as arguments, their ids, and who is missing from the answer to a call.
import { describe, expect, it } from 'vitest'
import { namesById, peopleLeftOut, userIds } from '../../../../src/rules/actions/definition/people.ts'
import type { Call } from '../../../../src/rules/types.ts'
import { problemsIn, rule, rules } from '../../world.ts'

it.each([
  [
    [{ id: 2 }, { id: 3 }],
    [2, 3],
  ],
  [[], []],
  [[{ id: 2 }, null], undefined],
  [[{ id: '2' }], undefined],
  [{ length: 1 }, undefined],
  [undefined, undefined],
])('the ids of users of %j are %j', (listed, expected) => {
  expect(userIds(listed)).toEqual(expected)
})

describe('who was left out', () => {
  const call = (params: Call['params'], memo?: Call['memo']): Call => ({
    ...{ to: 'service', endpoint: 'mergeRequests.update', params, action: 'review', rules: ['f#a'] },
    ...(memo === undefined ? {} : { memo }),
  })
  it.each([
    ['by name', { reviewer_ids: [3, 4] }, namesById([{ id: 4, name: 'dora' }]), '"dora"'],
    ['by number, where the name is not kept', { reviewer_ids: [3, 4] }, undefined, '"user 4"'],
  ])('is said %s', (_how, params, memo, expected) => {
    const words = peopleLeftOut('reviewer', call(params, memo), { reviewers: [{ id: 3 }] })
    expect(words).toContain(`the service dropped ${expected}: it keeps one reviewer`)
  })
  it.each([
    ['the call requested nobody', {}, { reviewers: [] }],
    ['nobody was to be left', { reviewer_ids: [0] }, { reviewers: [] }],
    ['the answer is no merge request', { reviewer_ids: [3] }, 'x'],
  ])('is nobody where %s', (_where, params, answer) => {
    expect(peopleLeftOut('reviewer', call(params), answer)).toBeUndefined()
  })
})

it.each(['subscribe: alice', 'subscribe: [alice, bob]', 'subscribe: { user: alice }', 'todo: alice'])(
  'what the service lets users do only for themselves is refused for others, with the way to tell them: %s',
  (asked) => {
    expect(problemsIn(rules(rule('{ state: opened }', `{ ${asked} }`)))).toEqual([
      expect.stringMatching(/expected true, for Bellhop’s own user, .*by comment: "@alice"$/),
    ])
  },
)
