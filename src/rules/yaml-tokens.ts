// The tokens of a YAML text, or the first limit that it passes: the cheapest looks come first, so that refusing costs less than reading.
import { type CST, Lexer, type LineCounter, Parser } from 'yaml'

export const LONGEST_TEXT = 262_144
export const MOST_LINES = 20_000
/** Beside size and nesting, what makes a text long to read. */
export interface Limits {
  /** Of one list or mapping. */
  entries: number
  /** Words and signs: the package takes about two microseconds for each. */
  lexemes: number
}
/** For files of whoever runs the command. */
export const ordinary: Limits = { entries: 2000, lexemes: 120_000 }
const MOST_MARKS = 200
export const MOST_ERRORS = 100
export const DEEPEST = 20

/** A problem at an offset of the text. */
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
const tooManyEntries = ({ entries }: Limits, offset: number) => atMost(entries, 'entries in one list or mapping', offset)

const SCALAR = '\u001f'
/** Signs that the lexer adds; they are not in the text. */
const CONTROLS: ReadonlySet<string> = new Set(['\u0002', '\u0018', SCALAR])

/** The token stream, or the limit that it passes. `lines` is told where each line begins, as far as the text was looked at. */
export function tokensOf(text: string, lines: LineCounter, limits: Limits): CST.Token[] | Refusal {
  return refusedBySize(text) ?? refusedByLines(text, lines, limits) ?? parse(text, limits)
}

function refusedBySize(text: string): Refusal | undefined {
  if (text.length <= LONGEST_TEXT) return undefined
  return { offset: 0, expected: `a file of at most ${LONGEST_TEXT / 1024} KB`, found: 'a larger one' }
}

/** The lines, and the list under a key of the file itself, as rules are written: its entries need not be parsed to be counted. */
function refusedByLines(text: string, lines: LineCounter, limits: Limits): Refusal | undefined {
  let list: { column: number | undefined; entries: number } | undefined
  for (let [start, count] = [0, 1]; ; count++) {
    if (count > MOST_LINES) return { offset: 0, expected: `a file of at most ${MOST_LINES} lines`, found: 'a longer one' }
    lines.addNewLine(start)
    const end = text.indexOf('\n', start)
    const column = indentOf(text, start)
    const first = text[start + column]
    const isEntry = first === '-' && isSpace(text[start + column + 1])
    if (list !== undefined && isEntry) {
      list.column ??= column
      // What belongs to an entry, also a text of many lines, stands further in than its dash.
      if (list.column === column && ++list.entries > limits.entries) return tooManyEntries(limits, start + column)
    } else if (!isSpace(first) && first !== '#' && (column === 0 || list?.column === undefined)) {
      const isKey = column === 0 && KEY_ALONE.test(text.slice(start, end < 0 ? undefined : end))
      list = isKey ? { column: undefined, entries: 0 } : undefined
    }
    if (end < 0) return undefined
    start = end + 1
  }
}
/** Its value begins on a line of its own. */
const KEY_ALONE = /^\w+:[ \t]*\r?$/

function indentOf(text: string, start: number): number {
  let column = 0
  while (text[start + column] === ' ') column++
  return column
}

const isSpace = (character: string | undefined) =>
  character === undefined || character === ' ' || character === '\n' || character === '\r' || character === '\t'

/** What is told of a text that goes wrong at once is where it does, not that it is long. */
const LEXEMES_AT_ONCE = 6000

/** Checked while it is put together, so that what is too much costs nothing. */
function parse(text: string, limits: Limits): CST.Token[] | Refusal {
  const parser = new Parser()
  const tokens: CST.Token[] = []
  let [offset, marks, errors] = [0, 0, 0]
  let before = ''
  for (const lexeme of countedLexemes(text, limits)) {
    if (typeof lexeme === 'number') return atMost(limits.lexemes, 'words and signs', offset + lexeme)
    // What follows the scalar sign is a plain text or a block, whatever it begins with.
    if (isMark(lexeme) && before !== SCALAR) marks++
    if (marks > MOST_MARKS) return atMost(MOST_MARKS, 'anchors, aliases and tags', offset)
    for (const token of parser.next(lexeme)) {
      tokens.push(token)
      if (token.type === 'error') errors++
    }
    // The file is refused anyway: what follows an error is often nothing but errors.
    if (errors > MOST_ERRORS) return tokens
    // The document, the collections inside one another, and the scalar in the innermost.
    if (parser.stack.length > DEEPEST + 2) return atMost(DEEPEST, 'levels of nesting', offset)
    const innermost = parser.stack.at(-1)
    if (innermost !== undefined && 'items' in innermost && innermost.items.length > limits.entries) return tooManyEntries(limits, offset)
    offset += CONTROLS.has(lexeme) ? 0 : lexeme.length
    before = lexeme
  }
  tokens.push(...parser.end())
  return tokens
}

/** Words and signs; where they are too many, how much further on that is. Taking a text apart costs a quarter of putting it together: a long one is counted first. */
function* countedLexemes(text: string, { lexemes: most }: Limits): Generator<string | number> {
  const all = new Lexer().lex(text)
  for (let count = 0; count < LEXEMES_AT_ONCE; count++) {
    const next = all.next()
    if (next.done === true) return
    yield next.value
  }
  const rest: string[] = []
  let length = 0
  for (const lexeme of all) {
    if (rest.push(lexeme) > most - LEXEMES_AT_ONCE) {
      yield length
      return
    }
    length += CONTROLS.has(lexeme) ? 0 : lexeme.length
  }
  yield* rest
}

function isMark(lexeme: string): boolean {
  const first = lexeme[0]
  return first === '&' || first === '*' || first === '!'
}
