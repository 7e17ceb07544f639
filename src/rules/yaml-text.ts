// YAML held to limits: size, nesting, aliases, tags; and where in the text each node is.
import { Composer, type Document, isAlias, isMap, isPair, isScalar, isSeq, Lexer, LineCounter, Parser, visit } from 'yaml'
import type { Path } from './shapes.ts'
import { cut } from './wording.ts'

const LONGEST_TEXT = 262_144
const DEEPEST = 20
const MOST_ALIASES = 100

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

/** The token stream, or the offset at which it nests too deeply: checked while it is read, so that depth costs nothing. */
function tokensOf(text: string, lines: LineCounter): { tokens: ReturnType<typeof collect> } | { tooDeepAt: number } {
  const parser = new Parser(lines.addNewLine)
  const tokens: ReturnType<typeof collect> = []
  let offset = 0
  for (const lexeme of new Lexer().lex(text)) {
    tokens.push(...parser.next(lexeme))
    offset += lexeme.length
    // The document, the collections inside one another, and the scalar in the innermost.
    if (parser.stack.length > DEEPEST + 2) return { tooDeepAt: Math.min(offset, text.length) }
  }
  tokens.push(...parser.end())
  return { tokens }
}
const collect = (parser: Parser) => [...parser.end()]

/** The first thing that a rule file may not use, though YAML has it. */
function forbidden(document: Document.Parsed): { offset: number; expected: string; found: string } | undefined {
  if (document.directives.yaml.explicit === true)
    return { offset: 0, expected: 'a file without a %YAML directive', found: 'a %YAML directive' }
  let aliases = 0
  let problem: { offset: number; expected: string; found: string } | undefined
  visit(document, (_key, node, ancestors) => {
    if (isPair(node)) {
      if (isScalar(node.key) && typeof node.key.value === 'string') return undefined
      const key: unknown = node.key
      const offset = typeof key === 'object' && key !== null && 'range' in key && Array.isArray(key.range) ? Number(key.range[0]) : 0
      problem = {
        offset,
        expected: 'a key that is a text',
        found: isScalar(node.key) ? `the key ${String(node.key.value)}` : 'another key',
      }
      return visit.BREAK
    }
    if (isAlias(node)) aliases++
    const offset = isMap(node) || isSeq(node) || isScalar(node) || isAlias(node) ? (node.range?.[0] ?? 0) : 0
    const target = isAlias(node) ? node.resolve(document) : undefined
    if (isAlias(node) && (target === undefined || ancestors.includes(target))) {
      problem = { offset, expected: 'an alias of an earlier value', found: `*${cut(node.source, 60)}` }
    } else if (aliases > MOST_ALIASES) problem = { offset, expected: `at most ${MOST_ALIASES} aliases`, found: 'more of them' }
    else if ((isMap(node) || isSeq(node) || isScalar(node)) && node.tag !== undefined)
      problem = { offset, expected: 'a value without a tag', found: `the tag ${cut(node.tag)}` }
    return problem === undefined ? undefined : visit.BREAK
  })
  return problem
}

/** Reads one YAML document of plain values. */
export function readYaml(text: string): { ok: true; yaml: YamlText } | { ok: false; problems: TextProblem[] } {
  const fail = (position: Position, expected: string, found: string) => ({
    ok: false as const,
    problems: [{ ...position, expected, found }],
  })
  if (text.length > LONGEST_TEXT) return fail({ line: 1, column: 1 }, `a file of at most ${LONGEST_TEXT / 1024} KB`, 'a larger one')
  const lines = new LineCounter()
  lines.addNewLine(0)
  const at = (offset: number): Position => {
    const { line, col } = lines.linePos(offset)
    return { line: Math.max(1, line), column: Math.max(1, col) }
  }
  const read = tokensOf(text, lines)
  if ('tooDeepAt' in read) return fail(at(read.tooDeepAt), `at most ${DEEPEST} levels of nesting`, 'more of them')
  const [document, second] = [...new Composer({ version: '1.2', strict: true, uniqueKeys: true }).compose(read.tokens, true, text.length)]
  if (document === undefined) return fail({ line: 1, column: 1 }, 'a YAML document', 'none')
  if (second !== undefined) return fail(at(second.range[0]), 'one YAML document', 'a second one')
  const errors = [...document.errors, ...document.warnings]
  if (errors.length > 0) {
    return {
      ok: false,
      problems: errors.map((error) => ({ ...at(error.pos[0]), expected: 'valid YAML', found: cut(error.message.split('\n')[0] ?? '') })),
    }
  }
  const problem = forbidden(document)
  if (problem !== undefined) return fail(at(problem.offset), problem.expected, problem.found)
  try {
    return { ok: true, yaml: yamlText(document, text, at) }
  } catch (error) {
    // The package has no other way to tell that aliases of aliases grow beyond the limit.
    if (error instanceof ReferenceError) return fail({ line: 1, column: 1 }, `at most ${MOST_ALIASES} aliases`, 'more of them')
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
