// People as arguments, their ids, and who is missing from the answer to a call.
import { peopleLeftOut, userIds } from '../../../../src/rules/actions/definition/people.ts'
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
  const call = (params: Call['params']): Call => ({
    ...{ to: 'service', endpoint: 'mergeRequests.update', params, action: 'review', rules: ['f#a'] },
  })
  it('is said by number where the name is not kept', () => {
    const words = peopleLeftOut('reviewer', call({ reviewer_ids: [3, 4] }), { reviewers: [{ id: 3 }] })
    expect(words).toContain('the service dropped "user 4": it keeps one reviewer')
  })
  it('is nobody where the call requested nobody', () => {
    expect(peopleLeftOut('reviewer', call({}), { reviewers: [] })).toBeUndefined()
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
