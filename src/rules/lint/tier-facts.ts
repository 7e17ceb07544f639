// Finds the facts of a rule file that only some tiers show, so that `check` can ask the service whether this one does.

import { factNamed } from '../facts/index.ts'
import { namesIn } from '../language/templates.ts'
import { entriesOf, isMap, type Path } from '../language/values/shapes.ts'
import { readYaml } from '../language/yaml/yaml-text.ts'

export interface TierFact {
  fact: string
  path: Path
  /** The fact is named in the text of a value. */
  at?: 'value'
}

const ofTier = (name: string) => factNamed(name)?.tier !== undefined

/** The facts that a value of a rule names, as keys of conditions or in texts. */
function inValue(value: unknown, path: Path): TierFact[] {
  if (typeof value === 'string')
    return [...new Set(namesIn(value))].filter(ofTier).map((fact) => ({ fact, path, at: 'value' as const }))
  return entriesOf(value).flatMap(([key, each]) => {
    const at = [...path, key]
    return typeof key === 'string' && ofTier(key) ? [{ fact: key, path: at }] : inValue(each, at)
  })
}

/** Every place in conditions, definitions and texts of a file without problems. */
export function tierFactsIn(text: string): TierFact[] {
  const read = readYaml(text)
  const { defs, rules } = read.ok && isMap(read.yaml.value) ? read.yaml.value : {}
  return [
    ...inValue(defs, ['defs']),
    ...entriesOf(rules).flatMap(([index, rule]) =>
      isMap(rule) ? ['if', 'then'].flatMap((key) => inValue(rule[key], ['rules', index, key])) : [],
    ),
  ]
}
