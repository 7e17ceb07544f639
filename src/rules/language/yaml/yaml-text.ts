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
  Lexer,
  LineCounter,
  Parser,
  visit,
  type YAMLMap,
} from 'yaml'
import type { Problem } from '../values/rule-types.ts'
import { MOST_ISSUES, type Path } from '../values/shapes.ts'
import { cut } from '../values/wording.ts'

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

function compose(tokens: readonly CST.Token[], length: number): Document.Parsed | Refusal[] {
  // `repeatedKey` finds repeated keys: the package compares each key with all others.
  const composer = new Composer({ version: '1.2', strict: true, uniqueKeys: false })
  const [document, second] = withoutStackTraces(() => [...composer.compose(tokens, true, length)])
  if (document === undefined) return [{ offset: 0, expected: 'a YAML document', found: 'none' }]
  const problems = [...document.errors, ...document.warnings].slice(0, MOST_ERRORS)
  if (problems.length > 0)
    return problems.map(({ pos, message }) => {
      return { offset: pos[0], expected: 'valid YAML', found: cut(message.split('\n')[0] ?? '') }
    })
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
  const tokens = refusedBySize(text, lines) ?? parse(text, limits)
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

export const LONGEST_TEXT = 262_144
export const MOST_LINES = 20_000
const MOST_ERRORS = 100
export const DEEPEST = 20
const MOST_MARKS = 200

/** Limits that depend on who writes the file. */
export interface YamlLimits {
  entries: number
  /** Words and signs; parsing one takes a few microseconds. */
  lexemes: number
}
/** The limits for trusted files. */
const ordinary: YamlLimits = { entries: 2000, lexemes: 120_000 }

interface Refusal {
  offset: number
  expected: string
  found: string
}

const atMost = (most: number, what: string, offset: number): Refusal => ({
  offset,
  expected: `at most ${most} ${what}`,
  found: 'more of them',
})

/** Why the text is too large. Adds the start of each line to `lines`. */
function refusedBySize(text: string, lines: LineCounter): Refusal | undefined {
  if (text.length > LONGEST_TEXT)
    return { offset: 0, expected: `a file of at most ${LONGEST_TEXT / 1024} KB`, found: 'a larger one' }
  let count = 0
  for (let start = 0; start > 0 || count === 0; start = text.indexOf('\n', start) + 1) {
    lines.addNewLine(start)
    count += 1
  }
  if (count <= MOST_LINES) return undefined
  return { offset: 0, expected: `a file of at most ${MOST_LINES} lines`, found: 'a longer one' }
}

/** The lexer's sign that a plain text or a block follows; not part of the text. */
const SCALAR = '\u001f'
const CONTROLS = `\u0002\u0018${SCALAR}`

function parse(text: string, limits: YamlLimits): CST.Token[] | Refusal {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let [offset, lexemes, marks, odd, before] = [0, 0, 0, 0, '']
  for (const lexeme of new Lexer().lex(text)) {
    if (++lexemes > limits.lexemes) return atMost(limits.lexemes, 'words and signs', offset)
    if (before !== SCALAR && /^[&*!]/.test(lexeme) && ++marks > MOST_MARKS)
      return atMost(MOST_MARKS, 'anchors, aliases and tags', offset)
    for (const token of parser.next(lexeme)) {
      tokens.push(token)
      if (!between.has(token.type)) odd += 1
    }
    // With so many errors, documents and directives the file is refused anyway.
    if (odd > MOST_ERRORS) return tokens
    // The stack holds the document, the nested collections, and a scalar.
    if (parser.stack.length > DEEPEST + 2) return atMost(DEEPEST, 'levels of nesting', offset)
    const innermost = parser.stack.at(-1)
    if (innermost !== undefined && 'items' in innermost && hasMore(innermost.items, limits.entries))
      return atMost(limits.entries, 'entries in one list or mapping', offset)
    if (!(lexeme.length === 1 && CONTROLS.includes(lexeme))) offset += lexeme.length
    before = lexeme
  }
  return [...tokens, ...parser.end()]
}

/** Whether there are more entries. An item of only space and comments does not count. */
function hasMore(items: readonly CST.CollectionItem[], most: number): boolean {
  const { start = [], key, value } = items[most] ?? {}
  const isSpace = key === undefined && value === undefined && start.every(({ type }) => between.has(type))
  return items.length > most + 1 || (items.length > most && !isSpace)
}
const between: ReadonlySet<CST.Token['type']> = new Set(['comma', 'space', 'newline', 'comment'])
