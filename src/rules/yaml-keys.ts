// Keys that are there twice, found among the tokens: a file that has them need not be put together first.
import { CST } from 'yaml'
import { cut } from './wording.ts'
import type { Refusal } from './yaml-tokens.ts'

/** The first key of the first document that stands twice in one mapping. The package would compare each key with all others. */
export function repeatedKey(tokens: readonly CST.Token[]): Refusal | undefined {
  const document = tokens.find((token) => token.type === 'document')
  return document?.value === undefined ? undefined : repeatedIn(document.value)
}

function repeatedIn(token: CST.Token): Refusal | undefined {
  if (!('items' in token)) return undefined
  const isMap = token.type === 'block-map' || (token.type === 'flow-collection' && token.start.type === 'flow-map-start')
  const seen = new Set<string>()
  for (const { key, value } of token.items) {
    const name = isMap ? nameOf(key) : undefined
    if (name !== undefined && seen.has(name))
      return { offset: key?.offset ?? 0, expected: 'keys that are unique', found: `a second ${JSON.stringify(cut(name, 60))}` }
    if (name !== undefined) seen.add(name)
    const inside = (key == null ? undefined : repeatedIn(key)) ?? (value === undefined ? undefined : repeatedIn(value))
    if (inside !== undefined) return inside
  }
  return undefined
}

/** A key as the text that it says. */
function nameOf(key: CST.Token | null | undefined): string | undefined {
  if (!CST.isScalar(key)) return undefined
  if (key.type === 'scalar' && !key.source.includes('\n')) return key.source
  return key.type === 'alias' ? undefined : CST.resolveAsScalar(key, false, () => {})?.value
}
