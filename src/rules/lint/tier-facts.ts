// Finds the facts of a rule file that only some tiers show, so that `check` can ask the service whether this one does.

import { factNamed } from '../facts/index.ts'
import { namesIn } from '../language/templates.ts'
import type { RuleFile } from '../language/values/rule-types.ts'
import { entriesOf, isMap, type Path } from '../language/values/shapes.ts'
import { readYaml } from '../language/yaml/yaml-text.ts'

/** A place that names a fact of a tier. */
export interface TierFact {
  fact: string
  path: Path
  /** The fact is named in the text of a value. */
  at?: 'value'
}

const ofTier = (name: string) => factNamed(name)?.tier !== undefined

function inConditions(value: unknown, path: Path): TierFact[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => inConditions(each, [...path, index]))
  if (!isMap(value)) return []
  return Object.entries(value).flatMap(([key, each]) =>
    ofTier(key) ? [{ fact: key, path: [...path, key] }] : inConditions(each, [...path, key]),
  )
}

function inTexts(value: unknown, path: Path): TierFact[] {
  if (typeof value === 'string')
    return [...new Set(namesIn(value))].filter(ofTier).map((fact) => ({ fact, path, at: 'value' as const }))
  return entriesOf(value).flatMap(([key, each]) => inTexts(each, [...path, key]))
}

/** Every place in conditions, definitions and texts. */
export function tierFactsIn(text: string, { rules }: RuleFile): TierFact[] {
  const read = readYaml(text)
  const document = read.ok && isMap(read.yaml.value) ? read.yaml.value : {}
  const written = Array.isArray(document.rules) ? document.rules : []
  return [
    ...inConditions(document.defs, ['defs']),
    ...rules.flatMap((_, index) => {
      const rule: unknown = written[index]
      if (!isMap(rule)) return []
      return [...inConditions(rule.if, ['rules', index, 'if']), ...inTexts(rule.then, ['rules', index, 'then'])]
    }),
  ]
}
