// Did you mean.
import { describe, expect, it } from 'vitest'
import { suggest } from '../../../../src/rules/language/values/wording.ts'

const known = ['labels', 'label', 'approve', 'source_branch', 'if']

describe('a suggestion', () => {
  it.each([
    ['lables', 'labels'],
    ['lable', 'label'],
    ['Label', 'label'],
    ['aprove', 'approve'],
    ['source-branch', 'source_branch'],
    ['sourcebranch', 'source_branch'],
    ['of', 'if'],
    ['zebra', undefined],
    ['', undefined],
    ['l'.repeat(10_000), undefined],
  ])('for %s is %s', (name, expected) => {
    expect(suggest(name, known)).toBe(expected)
  })
  it('of nothing is nothing', () => {
    expect(suggest('a', [])).toBeUndefined()
  })
})
