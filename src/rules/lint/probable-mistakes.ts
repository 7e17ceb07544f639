// Finds what is valid but probably means something else: expressions between slashes, no version, no rules.
import { asMatches } from '../language/operators/impossible-texts.ts'
import { entriesOf, isMap, type Path } from '../language/values/shapes.ts'
import type { LintFinding } from './unreachable.ts'

/** Texts of conditions in the form that expressions have in other languages: `/fix/i`. */
function slashedExpressions(value: unknown, path: Path): LintFinding[] {
  if (typeof value === 'string') {
    const meant = asMatches(value)
    if (meant === undefined) return []
    const does = path.includes('matches') ? 'matches the slashes too' : 'is compared as a whole text'
    return [{ path, at: 'value', message: `did you mean ${meant}? ${JSON.stringify(value)} ${does}` }]
  }
  return entriesOf(value).flatMap(([key, each]) => slashedExpressions(each, [...path, key]))
}

/** `document`: the YAML of the file. */
export function probableMistakes(document: unknown): LintFinding[] {
  if (!isMap(document)) return [{ path: [], message: 'the file is empty: expected version and rules' }]
  const list = Array.isArray(document.rules) ? document.rules : []
  return [
    ...(Object.hasOwn(document, 'version')
      ? []
      : [{ path: [], message: 'the file names no version: expected "version: 1"' }]),
    ...slashedExpressions(document.defs, ['defs']),
    ...list.flatMap((rule: unknown, index) => (isMap(rule) ? slashedExpressions(rule.if, ['rules', index, 'if']) : [])),
  ]
}
