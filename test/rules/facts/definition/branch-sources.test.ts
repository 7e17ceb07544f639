// The calls that read one branch.
import { expect, it } from 'vitest'
import { branchSources } from '../../../../src/rules/facts/definition/branch-sources.ts'

const ref = { project: 1, iid: 7 }
const { branch, mergeRequestsFrom } = branchSources

it('names the branch, and nothing without a name', () => {
  expect(branch.params(ref, {}, 'stable')).toEqual({ id: 1, branch: 'stable' })
  expect(mergeRequestsFrom.params(ref, {}, 'a/b')).toMatchObject({ id: 1, source_branch: 'a/b', state: 'all' })
  expect([branch.params(ref, {}), mergeRequestsFrom.params(ref, {})]).toEqual([null, null])
})

it('a full page of merge requests is not complete', () => {
  expect(mergeRequestsFrom.complete([])).toBe(true)
  expect(mergeRequestsFrom.complete(Array.from({ length: 100 }, () => ({})))).toBe(false)
})
