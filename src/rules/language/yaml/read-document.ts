// The YAML of a document with its syntax problems as `check` prints them.
import type { Problem } from '../values/rule-types.ts'
import { MOST_ISSUES } from '../values/shapes.ts'
import { readYaml, type YamlText } from './yaml-text.ts'
import type { YamlLimits } from './yaml-tokens.ts'

/** The YAML, or its first hundred problems with file, line and column. */
export function readDocumentYaml(
  text: string,
  file: string,
  limits?: YamlLimits,
): { ok: true; yaml: YamlText } | { ok: false; problems: Problem[] } {
  const read = readYaml(text, limits)
  if (read.ok) return read
  const problems = read.problems.slice(0, MOST_ISSUES).map((problem) => ({
    ...problem,
    file,
    path: '',
    message: `expected ${problem.expected}, found ${problem.found}`,
  }))
  return { ok: false, problems }
}
