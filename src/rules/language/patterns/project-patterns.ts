// Globs of branch names, and of full project paths, such as `hotel/*`.

import { listOf, refuse, type Shape, textSchema } from '../values/shapes.ts'
import { globMatcher, LONGEST_GLOB, problemOfGlob } from './patterns.ts'

const globOf = (expected: string): Shape<string> => ({
  expected,
  schema: () => textSchema(LONGEST_GLOB),
  read(value, path, issues) {
    const problem = typeof value === 'string' && value.trim() !== '' ? problemOfGlob(value) : expected
    return problem === undefined ? String(value) : refuse(issues, { path, expected: problem })
  },
})

export const branchPattern = globOf('a glob of branch names')

/** One glob, or a list of them. */
export const projectPatterns: Shape<string[]> = listOf(globOf('a glob of full project paths, such as hotel/*'))

/** Whether a glob fits the project. Ignores case, as paths of the service do. */
export function fitsProject(patterns: readonly string[], fullPath: string): boolean {
  const path = fullPath.toLowerCase()
  return patterns.some((each) => globMatcher(each.toLowerCase(), 'path')(path))
}
