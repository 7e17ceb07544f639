// The tokens of a YAML text, or the first limit that it passes: the cheapest looks come first, so that refusing costs less than reading.
import type { CST, LineCounter } from 'yaml'
import { QuickLexer } from './yaml-lexer.ts'
import { QuickParser } from './yaml-parser.ts'

export const LONGEST_TEXT = 262_144
export const MOST_LINES = 20_000
/** Beside size and nesting, what makes a text long to read. */
export interface Limits {
  /** Of one list or mapping. */
  entries: number
  /** Words and signs: each takes one to two microseconds. */
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
const CONTROLS = `\u0002\u0018${SCALAR}`

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

/**
 * A long text is taken apart and counted before it is put together, which costs three times as much. Plain loops: a generator for each word and
 * sign would take half as long as all the rest.
 */
function parse(text: string, limits: Limits): CST.Token[] | Refusal {
  const lexemes = new QuickLexer(text)
  const assembly = new Assembly(limits)
  for (let count = 0; count < LEXEMES_AT_ONCE; count++) {
    const lexeme = lexemes.next()
    if (lexeme === undefined) return assembly.end()
    const ended = assembly.add(lexeme)
    if (ended !== undefined) return ended
  }
  const rest: string[] = []
  let length = 0
  for (let lexeme = lexemes.next(); lexeme !== undefined; lexeme = lexemes.next()) {
    if (rest.push(lexeme) > limits.lexemes - LEXEMES_AT_ONCE) return atMost(limits.lexemes, 'words and signs', assembly.offset + length)
    length += lengthOf(lexeme)
  }
  for (const lexeme of rest) {
    const ended = assembly.add(lexeme)
    if (ended !== undefined) return ended
  }
  return assembly.end()
}

/** What is put together so far. Its limits are checked as it grows, so that what is too much costs nothing. */
class Assembly {
  offset = 0
  readonly #limits: Limits
  readonly #parser = new QuickParser()
  readonly #tokens: CST.Token[] = []
  #marks = 0
  #errors = 0
  #before = ''

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** The limit that is passed now, or all tokens where the rest is not worth reading. */
  add(lexeme: string): Refusal | CST.Token[] | undefined {
    // What follows the scalar sign is a plain text or a block, whatever it begins with.
    if (isMark(lexeme) && this.#before !== SCALAR && ++this.#marks > MOST_MARKS)
      return atMost(MOST_MARKS, 'anchors, aliases and tags', this.offset)
    for (const token of this.#parser.next(lexeme)) {
      this.#tokens.push(token)
      if (token.type === 'error') this.#errors++
    }
    // The file is refused anyway: what follows an error is often nothing but errors.
    if (this.#errors > MOST_ERRORS) return this.#tokens
    const { stack } = this.#parser
    // The document, the collections inside one another, and the scalar in the innermost.
    if (stack.length > DEEPEST + 2) return atMost(DEEPEST, 'levels of nesting', this.offset)
    const innermost = stack[stack.length - 1]
    if (innermost !== undefined && 'items' in innermost && entriesOf(innermost.items, this.#limits.entries) > this.#limits.entries)
      return tooManyEntries(this.#limits, this.offset)
    this.offset += lengthOf(lexeme)
    this.#before = lexeme
    return undefined
  }

  end(): CST.Token[] {
    return [...this.#tokens, ...this.#parser.end()]
  }
}

/** Signs, space and comments after which an entry may follow are none. */
function entriesOf(items: readonly CST.CollectionItem[], most: number): number {
  if (items.length <= most) return items.length
  const { start = [], key, value } = items[items.length - 1] ?? {}
  const isSpace = key === undefined && value === undefined && start.every(({ type }) => between.has(type))
  return items.length - (isSpace ? 1 : 0)
}
const between: ReadonlySet<CST.SourceToken['type']> = new Set(['comma', 'space', 'newline', 'comment'])

/** How much of the text a word or sign is. */
const lengthOf = (lexeme: string) => (lexeme.length === 1 && CONTROLS.includes(lexeme) ? 0 : lexeme.length)

function isMark(lexeme: string): boolean {
  const first = lexeme[0]
  return first === '&' || first === '*' || first === '!'
}
