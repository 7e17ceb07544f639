// Globs of full project paths.
import { describe, expect, it } from 'vitest'
import { fitsProject, projectPatterns } from '../../../../src/rules/language/patterns/patterns.ts'
import type { Issue } from '../../../../src/rules/language/values/shapes.ts'

describe('a pattern', () => {
  it.each([
    ['hotel/*', 'hotel/app', true],
    ['hotel/*', 'hotel/deep/app', false],
    ['hotel/**', 'hotel/deep/app', true],
    ['hotel/app', 'Hotel/APP', true],
    ['Hotel/*', 'hotel/app', true],
    ['hotel/*', 'hotel.evil/app', false],
    ['hotel/*', 'evil/hotel/app', false],
    ['hotel/*', 'hotel', false],
    ['{hotel,motel}/app', 'motel/app', true],
    ['hotel/.*', 'hotel/.github', true],
  ])('%s and the project %s: %s', (pattern, path, fits) => {
    expect(fitsProject([pattern], path)).toBe(fits)
  })
  it('is one of several', () => {
    expect(fitsProject(['a/*', 'b/*'], 'b/c')).toBe(true)
    expect(fitsProject([], 'b/c')).toBe(false)
  })
})

it.each([['{a,b}'.repeat(20)], ['a'.repeat(301)], [''], [7], [[]], [{ a: 1 }]])('%j is refused', (value) => {
  const issues: Issue[] = []
  expect(projectPatterns.read(value, ['projects'], issues)).toBeUndefined()
  expect(issues).toHaveLength(1)
})
