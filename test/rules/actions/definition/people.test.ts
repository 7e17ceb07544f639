// People as arguments, their ids, and who is missing from the answer to a call.
import { describe, expect, it } from 'vitest'
import { userIds } from '../../../../src/rules/actions/definition/people.ts'
import { problemsIn, rule, rules } from '../../world.ts'

describe('the ids of users', () => {
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
  ])('of %j are %j', (listed, expected) => {
    expect(userIds(listed)).toEqual(expected)
  })
})

describe('what the service lets users do only for themselves', () => {
  it.each(['subscribe: alice', 'subscribe: [alice, bob]', 'subscribe: { user: alice }', 'todo: alice'])(
    'is refused for others, with the way to tell them: %s',
    (asked) => {
      expect(problemsIn(rules(rule('{ state: opened }', `{ ${asked} }`)))).toEqual([
        expect.stringMatching(/expected true, for Bellhop’s own user, .*by comment: "@alice"$/),
      ])
    },
  )
})
