// Reads `include:` of a repository's rule file: rule files of other projects that count as its own.

import type { Include, Json } from './values/rule-types.ts'
import { fields, listOf, type Shape, shape, text } from './values/shapes.ts'

const MOST_INCLUDES = 10
const LONGEST_PATH = 500
const pathSchema = { type: 'string', maxLength: LONGEST_PATH }

const project = shape(
  'the full path of a project, such as hotel/rules',
  (value) =>
    typeof value === 'string' && value.length <= LONGEST_PATH && /^[\w.-]+(\/[\w.-]+)+$/.test(value)
      ? value
      : undefined,
  pathSchema,
)

const file = shape(
  'the path of a .yml file in that project',
  (value) => {
    if (typeof value !== 'string' || value.length > LONGEST_PATH || !/^[^\p{Cc}]+\.ya?ml$/u.test(value))
      return undefined
    // Only one spelling of a path, so that a merge request that changes the file is recognized.
    return value.split('/').some((step) => step === '' || step === '.' || step === '..') ? undefined : value
  },
  pathSchema,
)

const one = fields({ project, file, ref: text(255, 'a commit (40 digits) or a tag') }, ['project', 'file'])

/** `include: { project: hotel/rules, file: merge.yml, ref: v1 }`, or a list of them. */
export const includes = listOf(one as Shape<Include & { [key: string]: Json }>, MOST_INCLUDES)

/** The included file's name in decisions and problems. */
export function nameOf({ project: of, file: path, ref }: Include): string {
  return `${of}:${path}${ref === undefined ? '' : `@${ref}`}`
}
