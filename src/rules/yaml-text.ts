// YAML as rule files may use it: one document, keys that are texts, no tags; and where in the text each node is.
import { Composer, type CST, type Document, isAlias, isMap, isPair, isScalar, isSeq, LineCounter, visit } from 'yaml'
import type { Path } from './shapes.ts'
import { cut } from './wording.ts'
import { repeatedKey } from './yaml-keys.ts'
import { type Limits, MOST_ERRORS, ordinary, type Refusal, tokensOf } from './yaml-tokens.ts'

export const MOST_ALIASES = 100

export interface Position {
  line: number
  column: number
}

/** Something that YAML itself, or a limit, forbids. */
export interface TextProblem extends Position {
  expected: string
  found: string
}

export interface YamlText {
  value: unknown
  /** Where a key or a value is; the nearest one around it where there is none. */
  position(path: Path, at: 'key' | 'value'): Position
  /** The value as it is written. */
  found(path: Path): string
}

/** The two first documents, and what is wrong with them. */
function compose(tokens: readonly CST.Token[], length: number) {
  // Keys that are there twice were refused before.
  const composer = new Composer({ version: '1.2', strict: true, uniqueKeys: false })
  const refusals: Refusal[] = []
  // The package would keep an error with a stack for every sign of a file that is nothing but errors.
  const onError = (source: number | [number, number] | { offset: number }, _code: string, message: string) => {
    if (refusals.length >= MOST_ERRORS) throw new TooManyErrors()
    const offset = typeof source === 'number' ? source : Array.isArray(source) ? source[0] : source.offset
    refusals.push({ offset, expected: 'valid YAML', found: cut(message.split('\n')[0] ?? '') })
  }
  Object.defineProperty(composer, 'onError', { value: onError })
  try {
    const [first, second] = composer.compose(tokens, true, length)
    for (const { pos, message } of [...(first?.errors ?? []), ...(first?.warnings ?? [])])
      refusals.push({ offset: pos[0], expected: 'valid YAML', found: cut(message.split('\n')[0] ?? '') })
    return { first, second, refusals }
  } catch (error) {
    if (error instanceof TooManyErrors) return { first: undefined, second: undefined, refusals }
    throw error
  }
}
class TooManyErrors extends Error {}

const offsetOf = (node: unknown) =>
  typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range) ? Number(node.range[0]) : 0

/** The first thing that a rule file may not use, though YAML has it. */
function forbidden(document: Document.Parsed): Refusal | undefined {
  if (document.directives.yaml.explicit === true)
    return { offset: 0, expected: 'a file without a %YAML directive', found: 'a %YAML directive' }
  let aliases = 0
  let problem: Refusal | undefined
  const anchors = new Map<string, unknown>()
  visit(document, (_key, node, ancestors) => {
    if (isPair(node)) {
      if (isScalar(node.key) && typeof node.key.value === 'string') return undefined
      const found = isScalar(node.key) ? `the key ${String(node.key.value)}` : 'another key'
      problem = { offset: offsetOf(node.key), expected: 'a key that is a text', found }
      return visit.BREAK
    }
    const offset = offsetOf(node)
    if (isAlias(node)) {
      aliases++
      // As YAML has it: the newest anchor of this name that stands before the alias.
      const target = anchors.get(node.source)
      if (target === undefined || ancestors.some((each) => each === target))
        problem = { offset, expected: 'an alias of an earlier value', found: `*${cut(node.source, 60)}` }
      else if (aliases > MOST_ALIASES) problem = { offset, expected: `at most ${MOST_ALIASES} aliases`, found: 'more of them' }
    } else if (isMap(node) || isSeq(node) || isScalar(node)) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node)
      if (node.tag !== undefined) problem = { offset, expected: 'a value without a tag', found: `the tag ${cut(node.tag)}` }
    }
    return problem === undefined ? undefined : visit.BREAK
  })
  return problem
}

/** Reads one YAML document of plain values. */
export function readYaml(text: string, limits: Limits = ordinary): { ok: true; yaml: YamlText } | { ok: false; problems: TextProblem[] } {
  const lines = new LineCounter()
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(Math.min(offset, text.length))
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const refused = (...refusals: Refusal[]) => ({
    ok: false as const,
    problems: refusals.sort((a, b) => a.offset - b.offset).map(({ offset, ...rest }) => ({ ...at(offset), ...rest })),
  })
  const fail = (offset: number, expected: string, found: string) => refused({ offset, expected, found })
  const tokens = tokensOf(text, lines, limits)
  if ('offset' in tokens) return refused(tokens)
  const repeated = tokens.some(({ type }) => type === 'error') ? undefined : repeatedKey(tokens)
  if (repeated !== undefined) return refused(repeated)
  const { first: document, second, refusals } = compose(tokens, text.length)
  if (second !== undefined && refusals.length === 0) return fail(second.range[0], 'one YAML document', 'a second one')
  if (refusals.length > 0) return refused(...refusals)
  if (document === undefined) return fail(0, 'a YAML document', 'none')
  const problem = forbidden(document)
  if (problem !== undefined) return refused(problem)
  try {
    return { ok: true, yaml: yamlText(document, text, at) }
  } catch (error) {
    // The package has no other way to tell that aliases of aliases grow beyond the limit.
    if (error instanceof ReferenceError) return fail(0, `at most ${MOST_ALIASES} aliases`, 'more of them')
    throw error
  }
}

function yamlText(document: Document.Parsed, text: string, at: (offset: number) => Position): YamlText {
  const nodeAt = (path: Path, kind: 'key' | 'value'): { offset: number; node: unknown } => {
    let node: unknown = document.contents
    let offset = document.contents?.range?.[0] ?? 0
    for (const [index, step] of path.entries()) {
      const inside = isAlias(node) ? node.resolve(document) : node
      const pair = isMap(inside) ? inside.items.find((item) => isScalar(item.key) && item.key.value === step) : undefined
      const next: unknown = pair !== undefined ? pair.value : isSeq(inside) ? inside.items[Number(step)] : undefined
      const key = pair !== undefined && isScalar(pair.key) ? pair.key.range?.[0] : undefined
      if (pair === undefined && !isSeq(inside)) return { offset, node: undefined }
      const value =
        typeof next === 'object' && next !== null && 'range' in next && Array.isArray(next.range) ? Number(next.range[0]) : undefined
      offset = (kind === 'key' && index === path.length - 1 ? (key ?? value) : (value ?? key)) ?? offset
      node = next
    }
    return { offset, node }
  }
  return {
    value: document.toJS({ maxAliasCount: MOST_ALIASES }),
    position: (path, kind) => at(nodeAt(path, kind).offset),
    found: (path) => {
      const { node } = nodeAt(path, 'value')
      const resolved = isAlias(node) ? node.resolve(document) : node
      if (isMap(resolved)) return 'a mapping'
      if (isSeq(resolved)) return 'a list'
      if (!isScalar(resolved) || resolved.value === null) return 'nothing'
      if (typeof resolved.value === 'string') return JSON.stringify(cut(resolved.value, 60))
      return cut(text.slice(resolved.range?.[0] ?? 0, resolved.range?.[1] ?? 0), 60)
    },
  }
}
