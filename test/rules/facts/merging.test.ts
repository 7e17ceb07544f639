// What stands in the way of the merge, and what it leaves behind.
import { actualOf, unsaid } from '../actual.ts'
import { answer, refused, trains } from '../world.ts'

it.each([
  [{ merge_status: 'can_be_merged' }, 'false'],
  [{ merge_status: 'cannot_be_merged' }, 'true'],
  [{ merge_status: 'cannot_be_merged', has_conflicts: false }, 'false'],
  [{ merge_status: 'can_be_merged', has_conflicts: true }, 'true'],
  [{ merge_status: 'unchecked', has_conflicts: false }, unsaid],
  [{ merge_status: 'unchecked', detailed_merge_status: 'conflict' }, 'true'],
  [{ merge_status: undefined }, unsaid],
])('has_conflicts of %j is %s', (fields, expected) => {
  expect(actualOf('has_conflicts: true', fields)).toBe(expected)
})

it.each([
  ['discussions_resolved: true', { blocking_discussions_resolved: false }, 'false'],
  ['discussions_resolved: true', { blocking_discussions_resolved: undefined }, unsaid],
  ['remove_source_branch: true', { force_remove_source_branch: true }, 'true'],
  ['remove_source_branch: true', { should_remove_source_branch: true }, 'true'],
  ['remove_source_branch: true', { should_remove_source_branch: null, force_remove_source_branch: false }, 'false'],
  ['remove_source_branch: true', { force_remove_source_branch: undefined }, unsaid],
  ['merge_commit_sha: x', { merge_commit_sha: 'abc' }, '"abc"'],
  ['merge_commit_sha: x', { merge_commit_sha: null }, 'none'],
])('%s of %j is %s', (condition, fields, expected) => {
  expect(actualOf(condition, fields)).toBe(expected)
})

const option = (squash_option?: string) => ({ project: answer({ squash_option }) })
it.each([
  [{ squash: false, squash_on_merge: true }, option('default_off'), 'true'],
  [{ squash: true, squash_on_merge: false }, option('default_off'), 'false'],
  [{ squash: false }, option('always'), 'true'],
  [{ squash: true }, option('never'), 'false'],
  [{ squash: true }, option('default_off'), 'true'],
  [{ squash: true }, option(), 'true'],
  [{ squash: null }, option(), unsaid],
  [{ squash: true }, { project: refused(403) }, 'unknown: 403'],
])('squash of %j in %j is %s', (fields, other, expected) => {
  expect(actualOf('squash: true', fields, other)).toBe(expected)
})

it.each([
  ['where there are no trains', { project: answer({}) }, '"none"'],
  ['where it is on none', { ...trains, mergeTrain: refused() }, '"none"'],
  ['on one', { ...trains, mergeTrain: answer({ status: 'fresh' }) }, '"fresh"'],
  ['that may not be seen', { ...trains, mergeTrain: refused(403) }, 'unknown: 403'],
  ['of a project that may not be seen', { project: refused(403) }, 'unknown: 403'],
])('merge_train %s', (_, other, expected) => {
  expect(actualOf('merge_train: none', {}, other)).toBe(expected)
})
