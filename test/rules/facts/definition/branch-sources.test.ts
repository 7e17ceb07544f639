// The calls that read branches and commits.
import { expect, it } from 'vitest'
import { branchSources } from '../../../../src/rules/facts/definition/people-sources.ts'

it('a comparison is complete unless the service gave up', () => {
  const { comparison } = branchSources
  expect([{}, { compare_timeout: true }].map((body) => comparison.complete(body))).toEqual([true, false])
  expect(comparison.params({ project: 1, iid: 7 }, {}, 'a..b')).toEqual({ id: 1, from: 'a', to: 'b' })
})
