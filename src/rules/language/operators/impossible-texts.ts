// Finds texts and globs that no value of a fact can fit, such as `/web/**` for files or `@alice` for a user.
import { braceExpand } from 'minimatch'
import type { Fact } from '../../facts/definition/fact.ts'
import { type Issue, nearTo, type Path } from '../values/shapes.ts'

type FactOfTexts = Pick<Fact, 'names' | 'type'>

const SLASHED_EXPRESSION = /^\/(.+)\/([a-z]{0,4})$/s

/** `{ matches: "(?i)fix" }` for `/fix/i`; undefined for a text that is no expression between slashes. */
export function asMatches(text: string): string | undefined {
  const [, source = '', flags = ''] = SLASHED_EXPRESSION.exec(text) ?? []
  if (source === '') return undefined
  return `{ matches: ${JSON.stringify(`${flags.includes('i') ? '(?i)' : ''}${source}`)} }`
}

const looksLikeExpression = (text: string) => /\/[a-z]+$|[\^$\\|+()]/.test(text)

/** In a glob, a backslash escapes special characters; before these characters it is probably meant as a slash. */
const BACKSLASH = /\\(?=\*\*|[A-Za-z0-9])/g

type Fix = (text: string, type: FactOfTexts['type']) => string
const pathMistakes: { is(text: string): boolean; expected: string; fix: Fix }[] = [
  {
    is: (text) => text.trim() !== text,
    expected: 'a path without spaces at its ends',
    fix: (text) => text.trim(),
  },
  {
    is: (text) => text.search(BACKSLASH) !== -1,
    expected: 'a path with / between its folders',
    fix: (text) => text.replace(BACKSLASH, '/'),
  },
  {
    is: (text) => /^\.{0,2}\/|\/$/.test(text),
    expected: 'a path without / or ./ at its start and without / at its end',
    fix: (text, { name }) => text.replace(/^(\.{0,2}\/)+/, '').replace(/\/+$/, name === 'list' ? '/**' : ''),
  },
]

function impossiblePath(text: string, { type }: FactOfTexts): Omit<Issue, 'path'> | undefined {
  // Operators without globs compare braces as they are, and no path has such a name.
  const alternatives = text.includes('{') ? braceExpand(text) : [text]
  const mistake = pathMistakes.find(({ is }) => alternatives.every(is))
  if (mistake === undefined) return undefined
  const { expected } = mistake
  const asExpression = looksLikeExpression(text) ? asMatches(text) : undefined
  if (asExpression !== undefined) return { expected, near: asExpression }
  const fixed = new Set(
    alternatives.map((each) => pathMistakes.reduce((path, { is, fix }) => (is(path) ? fix(path, type) : path), each)),
  )
  const inside = fixed.size === 1 ? [...fixed].join() : `{${[...fixed].join()}}`
  return { expected, ...nearTo(inside === '' ? undefined : inside) }
}

function impossible(text: string, fact: FactOfTexts): Omit<Issue, 'path'> | undefined {
  if (fact.names === 'user' && text.startsWith('@'))
    return { expected: 'a user name without @', ...nearTo(text.slice(1)) }
  if (fact.names === 'label' && text.trim() !== text)
    return { expected: 'a label without spaces at its ends', ...nearTo(text.trim()) }
  return fact.type.globs === 'path' ? impossiblePath(text, fact) : undefined
}

/** Whether a text that must be a whole branch, path or user name has wildcards. */
function hasWildcard(text: string, { names, type }: FactOfTexts): boolean {
  return (type.globs === 'path' || names === 'user') && /[*?[\]]/.test(text)
}

/** An issue for each text that can never fit. `exact`: the operator compares whole values and knows no globs. */
export function refuseImpossibleTexts(
  fact: FactOfTexts,
  written: unknown,
  { path, exact, issues }: { path: Path; exact: boolean; issues: Issue[] },
): void {
  const texts: [Path, unknown][] = Array.isArray(written)
    ? written.map((each, index) => [[...path, index], each])
    : [[path, written]]
  for (const [at, text] of texts) {
    if (typeof text !== 'string') continue
    const issue = impossible(text, fact)
    if (issue !== undefined) issues.push({ path: at, ...issue })
    else if (exact && hasWildcard(text, fact))
      issues.push({ path: at, expected: 'a whole name', near: `{ glob: ${JSON.stringify(written)} }` })
  }
}
