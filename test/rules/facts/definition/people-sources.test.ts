// Sources about people and their groups: whom they ask for.
import { describe, expect, it } from 'vitest'
import { sources } from '../../../../src/rules/facts/definition/sources.ts'

const ref = { project: 1, iid: 7 }

describe('sources of one person or group', () => {
  it.each([
    ['user', 'ada', { username: 'ada' }],
    ['groupMembers', 'acme/backend', { id: 'acme/backend', per_page: 100 }],
    ['groupDirectMembers', 'acme/backend', { id: 'acme/backend', per_page: 100 }],
    ['userStatus', '42', { user_id: 42 }],
    ['openReviews', 'ada', { scope: 'all', state: 'opened', reviewer_username: 'ada', view: 'simple', per_page: 20 }],
  ] as const)('%s asks for the one that is named', (name, instance, expected) => {
    expect(sources[name].params(ref, {}, instance)).toEqual(expected)
  })
  it.each(['user', 'groupMembers', 'groupDirectMembers', 'userStatus', 'openReviews'] as const)(
    '%s asks for nothing while nobody is named',
    (name) => {
      expect(sources[name].params(ref, {})).toBeNull()
    },
  )
})

describe('sources of a project or merge request', () => {
  it('the direct members are those of the project', () => {
    expect(sources.projectMembers.params(ref, {})).toEqual({ id: 1, per_page: 100 })
  })
  it('the states of reviews are those of the merge request', () => {
    expect(sources.reviewerStates.params(ref, {})).toEqual({ id: 1, merge_request_iid: 7 })
  })
  it('answers about people may be five minutes old, states of reviews not', () => {
    const people = ['groupMembers', 'groupDirectMembers', 'projectMembers', 'userStatus', 'openReviews'] as const
    expect(people.map((name) => sources[name].keptForMs)).toEqual(people.map(() => 300_000))
    expect(sources.reviewerStates.keptForMs).toBeUndefined()
  })
})
