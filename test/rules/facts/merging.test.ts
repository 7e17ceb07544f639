// What stands in the way of the merge, and what it leaves behind.
import { describe, expect, it } from 'vitest'
import { actualOf, unsaid } from './actual.ts'

describe('has_conflicts', () => {
  it.each([
    [{ merge_status: 'can_be_merged' }, 'false'],
    [{ merge_status: 'cannot_be_merged' }, 'true'],
    [{ merge_status: 'cannot_be_merged', has_conflicts: false }, 'false'],
    [{ merge_status: 'can_be_merged', has_conflicts: true }, 'true'],
    [{ merge_status: 'unchecked', has_conflicts: false }, unsaid],
    [{ merge_status: 'checking', has_conflicts: false }, unsaid],
    [{ merge_status: 'unchecked', detailed_merge_status: 'conflict' }, 'true'],
    [{ merge_status: undefined }, unsaid],
  ])('of %j is %s', (fields, expected) => {
    expect(actualOf('has_conflicts: true', fields)).toBe(expected)
  })
})

describe('other fields', () => {
  it.each([
    ['discussions_resolved: true', { blocking_discussions_resolved: false }, 'false'],
    ['discussions_resolved: true', { blocking_discussions_resolved: undefined }, unsaid],
    ['remove_source_branch: true', { force_remove_source_branch: true }, 'true'],
    ['remove_source_branch: true', { should_remove_source_branch: true }, 'true'],
    ['remove_source_branch: true', { should_remove_source_branch: null, force_remove_source_branch: false }, 'false'],
    ['remove_source_branch: true', { force_remove_source_branch: undefined }, unsaid],
    ['merge_commit_sha: x', { merge_commit_sha: 'abc' }, '"abc"'],
    ['merge_commit_sha: x', { merge_commit_sha: null }, 'none'],
    ['merge_commit_sha: x', { merge_commit_sha: undefined }, unsaid],
  ])('%s of %j is %s', (condition, fields, expected) => {
    expect(actualOf(condition, fields)).toBe(expected)
  })
})
