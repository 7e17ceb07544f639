// Sources about people and their groups.
import { expect, it } from 'vitest'
import { sources } from '../../../../src/rules/facts/definition/sources.ts'

it('answers about people may be five minutes old, states of reviews not', () => {
  const people = ['groupMembers', 'groupDirectMembers', 'projectMembers', 'userStatus', 'openReviews'] as const
  expect(people.map((name) => sources[name].cachedForMs)).toEqual(people.map(() => 300_000))
  expect(sources.reviewerStates.cachedForMs).toBeUndefined()
})
