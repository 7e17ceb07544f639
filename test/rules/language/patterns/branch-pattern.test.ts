// Globs of branch names.
import { expect, test } from 'vitest'
import { branchPattern } from '../../../../src/rules/language/patterns/branch-pattern.ts'

test.each([
  ['main', 'main'],
  ['release/*', 'release/*'],
  [' ', undefined],
  [7, undefined],
  ['{'.repeat(300), undefined],
])('%j is read as %j', (written, expected) => {
  expect(branchPattern.read(written, [], [])).toBe(expected)
})
