// Sources about people and their groups.
import { expect, it } from 'vitest'
import { branchSources } from '../../../../src/rules/facts/definition/people-sources.ts'
import { sources } from '../../../../src/rules/facts/definition/sources.ts'

it('answers about people may be five minutes old, states of reviews not', () => {
  const people = ['groupMembers', 'groupDirectMembers', 'projectMembers', 'userStatus', 'openReviews'] as const
  expect(people.map((name) => sources[name].cachedForMs)).toEqual(people.map(() => 300_000))
  expect(sources.reviewerStates.cachedForMs).toBeUndefined()
})

it('a comparison is complete unless the service gave up', () => {
  const { comparison } = branchSources
  expect([{}, { compare_timeout: true }].map((body) => comparison.complete(body))).toEqual([true, false])
  expect(comparison.params({ project: 1, iid: 7 }, {}, 'a..b')).toEqual({ id: 1, from: 'a', to: 'b' })
})
