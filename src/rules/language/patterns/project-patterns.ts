// Globs of full project paths, such as `hotel/*`.

import { listOf, refuse, type Shape, textSchema } from '../values/shapes.ts'
import { globMatcher, LONGEST_GLOB, problemOfGlob } from './patterns.ts'

const expected = 'a glob of full project paths, such as hotel/*'

const pattern: Shape<string> = {
  expected,
  schema: () => textSchema(LONGEST_GLOB),
  read(value, path, issues) {
    const problem = typeof value === 'string' && value.trim() !== '' ? problemOfGlob(value) : expected
    if (problem === undefined) return String(value)
    return refuse(issues, { path, expected: problem })
  },
}

/** One glob, or a list of them. */
export const projectPatterns: Shape<string[]> = listOf(pattern)

/** Whether a glob fits the project. Ignores case, as paths of the service do. */
export function fitsProject(patterns: readonly string[], fullPath: string): boolean {
  const path = fullPath.toLowerCase()
  return patterns.some((each) => globMatcher(each.toLowerCase(), 'path')(path))
}
