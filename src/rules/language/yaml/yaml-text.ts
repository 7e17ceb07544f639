// Reads YAML as rule files may use it: one document, text keys, no tags. Finds the position of each node.
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  visit,
  type YAMLMap,
} from 'yaml'
import type { Path } from '../values/shapes.ts'
import { cut } from '../values/wording.ts'
import { MOST_ERRORS, ordinary, type Refusal, tokensOf, type YamlLimits } from './yaml-tokens.ts'

export const MOST_ALIASES = 100

export interface Position {
  line: number
  column: number
}

/** A violation of YAML or of a limit. */
export interface TextProblem extends Position {
  expected: string
  found: string
}

export interface YamlText {
  value: unknown
  /** The position of a key or a value, or of the nearest one around it. */
  position(path: Path, at: 'key' | 'value'): Position
  found(path: Path): string
}

const invalid = (offset: number, message: string): Refusal => ({
  offset,
  expected: 'valid YAML',
  found: cut(message.split('\n')[0] ?? ''),
})

function compose(tokens: readonly CST.Token[], length: number): Document.Parsed | Refusal[] {
  // `repeatedKey` finds repeated keys: the package compares each key with all others.
  const composer = new Composer({ version: '1.2', strict: true, uniqueKeys: false })
  const [document, second] = withoutStackTraces(() => [...composer.compose(tokens, true, length)])
  if (document === undefined) return [{ offset: 0, expected: 'a YAML document', found: 'none' }]
  const problems = [...document.errors, ...document.warnings].slice(0, MOST_ERRORS)
  if (problems.length > 0) return problems.map(({ pos, message }) => invalid(pos[0], message))
  return second === undefined
    ? document
    : [{ offset: second.range[0], expected: 'one YAML document', found: 'a second one' }]
}

/** A hostile file causes an error for every character. With stack traces that takes 20 times as long. */
function withoutStackTraces<T>(task: () => T): T {
  const before = Error.stackTraceLimit
  Error.stackTraceLimit = 0
  try {
    return task()
  } finally {
    Error.stackTraceLimit = before
  }
}

const offsetOf = (node: unknown) =>
  typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range) ? Number(node.range[0]) : 0

/** The first YAML feature that rule files may not use. */
function forbidden(document: Document.Parsed): Refusal | undefined {
  if (document.directives.yaml.explicit === true)
    return { offset: 0, expected: 'a file without a %YAML directive', found: 'a %YAML directive' }
  let aliases = 0
  let problem: Refusal | undefined
  const anchors = new Map<string, unknown>()
  visit(document, (_key, node, ancestors) => {
    if (isMap(node)) problem = repeatedKey(node)
    if (problem !== undefined) return visit.BREAK
    if (isPair(node)) {
      if (isScalar(node.key) && typeof node.key.value === 'string') return undefined
      const found = isScalar(node.key) ? `the key ${String(node.key.value)}` : 'another key'
      problem = { offset: offsetOf(node.key), expected: 'a key that is a text', found }
      return visit.BREAK
    }
    const offset = offsetOf(node)
    if (isAlias(node)) {
      aliases++
      // An alias means the last anchor of its name before it.
      const target = anchors.get(node.source)
      if (target === undefined || ancestors.some((each) => each === target))
        problem = { offset, expected: 'an alias of an earlier value', found: `*${cut(node.source, 60)}` }
      else if (aliases > MOST_ALIASES)
        problem = { offset, expected: `at most ${MOST_ALIASES} aliases`, found: 'more of them' }
    } else if (isMap(node) || isSeq(node) || isScalar(node)) {
      if (node.anchor !== undefined) anchors.set(node.anchor, node)
      if (node.tag !== undefined)
        problem = { offset, expected: 'a value without a tag', found: `the tag ${cut(node.tag)}` }
    }
    return problem === undefined ? undefined : visit.BREAK
  })
  return problem
}

function repeatedKey({ items }: YAMLMap): Refusal | undefined {
  const seen = new Set<unknown>()
  for (const { key } of items) {
    if (!isScalar(key)) continue
    if (seen.has(key.value))
      return {
        offset: offsetOf(key),
        expected: 'keys that are unique',
        found: `a second ${JSON.stringify(cut(String(key.value), 60))}`,
      }
    seen.add(key.value)
  }
  return undefined
}

/** Reads one YAML document of plain values. */
export function readYaml(
  text: string,
  limits: YamlLimits = ordinary,
): { ok: true; yaml: YamlText } | { ok: false; problems: TextProblem[] } {
  const lines = new LineCounter()
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(Math.min(offset, text.length))
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const refused = (...refusals: Refusal[]) => ({
    ok: false as const,
    problems: refusals.sort((a, b) => a.offset - b.offset).map(({ offset, ...rest }) => ({ ...at(offset), ...rest })),
  })
  const tokens = tokensOf(text, lines, limits)
  if ('offset' in tokens) return refused(tokens)
  const document = compose(tokens, text.length)
  if (Array.isArray(document)) return refused(...document)
  const problem = forbidden(document)
  if (problem !== undefined) return refused(problem)
  try {
    return { ok: true, yaml: yamlText(document, text, at) }
  } catch (error) {
    // The package throws it if aliases of aliases exceed the limit.
    if (error instanceof ReferenceError)
      return refused({ offset: 0, expected: `at most ${MOST_ALIASES} aliases`, found: 'more of them' })
    throw error
  }
}

function yamlText(document: Document.Parsed, text: string, at: (offset: number) => Position): YamlText {
  const nodeAt = (path: Path, kind: 'key' | 'value'): { offset: number; node: unknown } => {
    let node: unknown = document.contents
    let offset = document.contents?.range?.[0] ?? 0
    for (const [index, step] of path.entries()) {
      const inside = isAlias(node) ? node.resolve(document) : node
      const pair = isMap(inside)
        ? inside.items.find((item) => isScalar(item.key) && item.key.value === step)
        : undefined
      const next: unknown = pair !== undefined ? pair.value : isSeq(inside) ? inside.items[Number(step)] : undefined
      const key = pair !== undefined && isScalar(pair.key) ? pair.key.range?.[0] : undefined
      if (pair === undefined && !isSeq(inside)) return { offset, node: undefined }
      const value =
        typeof next === 'object' && next !== null && 'range' in next && Array.isArray(next.range)
          ? Number(next.range[0])
          : undefined
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
