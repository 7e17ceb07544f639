// Splits a YAML text into tokens. Checks limits while parsing, so that refusing a hostile file is cheap.
import { type CST, Lexer, type LineCounter, Parser } from 'yaml'

export const LONGEST_TEXT = 262_144
export const MOST_LINES = 20_000
export const MOST_ERRORS = 100
export const DEEPEST = 20
const MOST_MARKS = 200

/** Limits that depend on who writes the file. */
export interface YamlLimits {
  entries: number
  /** Words and signs; parsing one takes a few microseconds. */
  lexemes: number
}
/** The limits for trusted files. */
export const ordinary: YamlLimits = { entries: 2000, lexemes: 120_000 }

export interface Refusal {
  offset: number
  expected: string
  found: string
}

const atMost = (most: number, what: string, offset: number): Refusal => ({
  offset,
  expected: `at most ${most} ${what}`,
  found: 'more of them',
})

/** The token stream, or the limit that the text exceeds. Adds the start of each line to `lines`. */
export function tokensOf(text: string, lines: LineCounter, limits: YamlLimits): CST.Token[] | Refusal {
  return refusedBySize(text, lines) ?? parse(text, limits)
}

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
