// version_change: what Renovate and Dependabot write, and what hostile texts can make of it.
import { describe, expect, it } from 'vitest'
import { actualOf } from '../actual.ts'

it.each([
  [{ title: 'Bump a from 1.0.0 to 1.0.1', description: null }, '"patch"'],
  [{ title: 'Bump a from 1.0.0 to 1.1.0', description: '' }, '"minor"'],
  [{ title: 'Fix the door' }, /^unknown: its title and description state no two versions/],
  [{ title: undefined }, /^unknown: the hosting service does not say its texts/],
  [{ title: 'Bump a from 1.0.0 to 1.0.1', description: ['a'] }, /^unknown: the hosting service does not say its texts/],
])('version_change of %j', (fields, expected) => {
  const actual = actualOf('version_change: patch', fields)
  if (typeof expected === 'string') expect(actual).toBe(expected)
  else expect(actual).toMatch(expected)
})

describe('a rule for all but major updates', () => {
  it('is unknown where the change is not clear, and so never acts', () => {
    expect(actualOf('version_change: { not: major }', { title: 'Update dependency a to v2' })).toMatch(
      /^it is unknown$/,
    )
  })
})
