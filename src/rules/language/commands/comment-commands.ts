// Commands in notes, `@bellhop merge` at the start of a line of a top-level paragraph, and `command:` of a rule.
import { createRequire } from 'node:module'
import type { default as MarkdownConstructor, MarkdownIt, Token } from 'markdown-it'
import type { Condition } from '../values/rule-types.ts'
import {
  type Issue,
  isMap,
  listOf,
  matching,
  type Path,
  refuse,
  refuseKey,
  refuseOtherKeys,
  type ShapeSchema,
} from '../values/shapes.ts'

/** Longer notes are not searched: their Markdown would take too long to parse. */
export const LONGEST_NOTE = 4_000

/** The words that follow the bot's name at the start of lines, in order, each once. */
export function commandsIn(text: string, username: string): string[] {
  return [...new Set(commandLines(text, username).map((line) => line.split(' ', 1)[0] ?? ''))]
}

/** The commands with the text behind them, in order: the command in small letters, one space between words. */
export function commandLines(text: string, username: string): string[] {
  // Most notes mention no bot and are not parsed.
  if (
    text.length > LONGEST_NOTE ||
    !/^[ \t]*@/m.test(text) ||
    !text.toLowerCase().includes(`@${username.toLowerCase()}`)
  )
    return []
  return paragraphLines(text).flatMap((line) => commandOf(line, username) ?? [])
}

function commandOf(line: string, username: string): string | undefined {
  const [, name, word = HELP, rest = ''] =
    /^@([A-Za-z0-9_.-]{1,255})(?:[ \t]+([A-Za-z][A-Za-z0-9_-]{0,39})(?:([ \t.,!?].*)|)|[ \t]*)$/.exec(line) ?? []
  if (name?.toLowerCase() !== username.toLowerCase()) return undefined
  return `${word.toLowerCase()} ${rest.trim().replace(/[ \t]+/g, ' ')}`.trimEnd()
}

/** Commands that Bellhop answers itself. The mention alone is `help`. */
export const [WHY, HELP, FREEZE] = ['why', 'help', 'freeze']
const BUILT_IN = [WHY, HELP, FREEZE]

const COMMAND = /^[a-z][a-z0-9_-]{0,39}$/
const ARGUMENT = /^[a-z][a-z0-9_]{0,39}$/
const MOST_ARGUMENTS = 5
/** A value, or a glob: its `*` stands for letters, digits, `.`, `_` and `-`. */
const VALUE = /^[A-Za-z0-9*][A-Za-z0-9._*-]{0,49}$/

const wordSchema = { type: 'string', pattern: COMMAND.source, not: { enum: BUILT_IN } }
const valueSchema = { type: 'string', pattern: VALUE.source }

export const commandSchema: ShapeSchema = {
  anyOf: [
    wordSchema,
    {
      type: 'object',
      properties: {
        word: { description: 'The command.', ...wordSchema },
        takes: {
          description: 'Its arguments in their order, each with a glob or a list of values that it must fit.',
          type: 'object',
          minProperties: 1,
          maxProperties: MOST_ARGUMENTS,
          propertyNames: { pattern: ARGUMENT.source },
          additionalProperties: {
            anyOf: [valueSchema, { type: 'array', items: valueSchema, minItems: 1, maxItems: 50 }],
          },
        },
      },
      required: ['word'],
      additionalProperties: false,
    },
  ],
}

/** `takes`: for each argument, the values or globs that it may fit. */
export interface Command {
  word: string
  takes: [name: string, values: string[]][]
}

/** Whether it is a word that can follow the bot's name, in small letters. */
export const isCommandWord = (value: unknown): value is string => typeof value === 'string' && COMMAND.test(value)

/** `merge`, or `{ word: backport, takes: { branch: "stable-*" } }` */
export function readCommand(value: unknown, path: Path, issues: Issue[]): Command | undefined {
  if (!isMap(value)) {
    const word = readWord(value, path, issues)
    return word === undefined ? undefined : { word, takes: [] }
  }
  const before = issues.length
  refuseOtherKeys(value, ['word', 'takes'], path, issues)
  const word = readWord(value.word, [...path, 'word'], issues)
  const takes = Object.hasOwn(value, 'takes') ? readArguments(value.takes, [...path, 'takes'], issues) : []
  return word === undefined || issues.length > before ? undefined : { word, takes }
}

function readWord(value: unknown, path: Path, issues: Issue[]): string | undefined {
  const isOwn = isCommandWord(value) && BUILT_IN.includes(value)
  if (isCommandWord(value) && !isOwn) return value
  const found = isOwn ? 'a command that Bellhop answers itself' : undefined
  return refuse(issues, { path, expected: 'a word of small letters, digits, - and _', found })
}

function readArguments(value: unknown, path: Path, issues: Issue[]): Command['takes'] {
  const count = isMap(value) ? Object.keys(value).length : 0
  if (!isMap(value) || count === 0 || count > MOST_ARGUMENTS) {
    const expected = `a mapping of 1 to ${MOST_ARGUMENTS} arguments, such as branch: "stable-*"`
    return refuse(issues, { path, expected }) ?? []
  }
  return Object.entries(value).map(([name, given]) => {
    if (!ARGUMENT.test(name))
      refuseKey(issues, [...path, name], 'a name of small letters, digits and _', JSON.stringify(name))
    return [name, oneOrMore.read(given, [...path, name], issues) ?? []]
  })
}

const oneOrMore = listOf(matching('a glob such as stable-*, of letters, digits, ".", "_", "-" and "*"', VALUE), 50)

/** The conditions for the command, and for who may use it. */
export function commandConditions({ word }: Command, { needsMaintainer }: { needsMaintainer: boolean }): Condition[] {
  return [
    { fact: 'command', operator: 'any', expected: [word] },
    { fact: 'actor_access', operator: 'at_least', expected: needsMaintainer ? 'maintainer' : 'developer' },
  ]
}

/** What the line of the command must match: the named groups are the arguments. Undefined if it takes none. */
export function argumentsExpression({ word, takes }: Command): string | undefined {
  const parts = takes.map(([name, values]) => ` (?<${name}>${values.map(expressionOf).join('|')})`)
  return parts.length === 0 ? undefined : `(?m)^${word}${parts.join('')}$`
}

const expressionOf = (value: string) => value.replaceAll('.', '[.]').replaceAll('*', '[A-Za-z0-9._-]+')

/** `backport BRANCH, where BRANCH is stable-*` */
export function usageOf({ word, takes }: Command): string {
  const where = takes.map(([name, values]) => `${name.toUpperCase()} is ${values.join(' or ')}`)
  return `${[word, ...takes.map(([name]) => name.toUpperCase())].join(' ')}, where ${where.join(' and ')}`
}

const load = createRequire(import.meta.url)
let parser: MarkdownIt | undefined

/** Replaces everything that is not plain text. */
const OTHER = '\uFFFC'

/**
 * The lines without indent; U+FFFC replaces code, links, emphasis and escapes.
 * Fails closed: leaves out what may belong to a GitLab extension or may be hidden by HTML.
 */
export function paragraphLines(markdown: string): string[] {
  const text = markdown.replace(/\r\n?/g, '\n')
  const lines = text.split('\n')
  const tokens = markdownParser().parse(text, {})
  const { hidden, end } = enclosed(text, lines, tokens)
  const plain: string[] = []
  for (const [index, { type, level, map }] of tokens.entries()) {
    const inline = tokens[index + 1]
    if (type !== 'paragraph_open' || level !== 0 || !map || map[1] > end || inline === undefined) continue
    if (hidden.has(map[0]) || isDoubtful(inline.content, lines[map[0]])) continue
    plain.push(...linesOf(inline.children ?? []))
  }
  return plain
}

/**
 * The parser, loaded with the first text that needs it, so that commands start fast. Escapes stay separate tokens:
 * `\@bellhop` is no mention. Tables are not parsed: a small one may have 65,000 cells.
 */
export function markdownParser(): MarkdownIt {
  if (parser === undefined) {
    const create = load('markdown-it') as typeof MarkdownConstructor
    parser = create({ html: true, linkify: false, typographer: false }).disable(['text_join', 'table'])
  }
  return parser
}

/** The blocks of a text alone: hostile links and emphasis take long. */
export function blockTokens(lines: string): Token[] {
  const parser = markdownParser()
  const tokens: Token[] = []
  parser.block.parse(lines, parser, {}, tokens)
  return tokens
}

function linesOf(children: readonly Token[]): string[] {
  const lines = ['']
  for (const { type, level, content } of children) {
    if (type === 'softbreak' || type === 'hardbreak') lines.push('')
    else lines.push(`${lines.pop()}${type === 'text' && level === 0 ? content : OTHER}`)
  }
  return lines
}

/**
 * Whether the paragraph may be a table, struck out between tildes, or math between dollar signs.
 * The parser drops every kind of space before a paragraph, CommonMark only spaces and tabs.
 */
function isDoubtful(paragraph: string, firstLine = ''): boolean {
  const isTwice = (mark: string) => paragraph.indexOf(mark) !== paragraph.lastIndexOf(mark)
  return /^[|: \t]*-[-|: \t]*$/m.test(paragraph) || isTwice('~') || isTwice('$') || /^[ \t]*[^\S \t]/.test(firstLine)
}

/** The lines inside `>>>` quotes, and the line from which nothing counts. */
function enclosed(
  text: string,
  lines: readonly string[],
  tokens: readonly Token[],
): { hidden: ReadonlySet<number>; end: number } {
  const { quoted, open } = fencedQuotes(lines, tokens)
  const ends = [open, endBySource(text, lines), ...tokens.filter(mayEnclose).map(({ map }) => map?.[0] ?? 0)]
  for (const line of lazyLines(lines, tokens, quoted)) quoted.add(line)
  return { hidden: quoted, end: ends.reduce((least, each) => Math.min(least, each)) }
}

/** HTML, `$$` math and `: ` descriptions may continue after blank lines. */
function mayEnclose({ type, content, children }: Token): boolean {
  if (type === 'html_block') return true
  if (type !== 'inline') return false
  return /\$\$|<[!?]|^[:~][ \t]/m.test(content) || (children ?? []).some((each) => each.type === 'html_inline')
}

const FRONT_MATTER = /^(?:[^\n]*coding:[^\n]*\n)?\s*(?:---|\+\+\+|;;;)/
const FOOTNOTE = /^ {0,3}\[\^[^\]]+\]:/

/** The start of front matter or of a footnote, which the parser takes for a link definition. */
function endBySource(text: string, lines: readonly string[]): number {
  if (FRONT_MATTER.test(text)) return 0
  const footnote = lines.findIndex((line) => FOOTNOTE.test(line))
  return footnote === -1 ? lines.length : footnote
}

const FENCE = /^(>{3,}) *(?:\[!.*)?$/
const LIKE_FENCE = /^[ \t]*>{3,}[ \t]*(?:\[!.*)?$/

/** The lines of quotes from `>>>` to `>>>`, and the start of one that is unclosed or that GitLab reads differently. */
export function fencedQuotes(
  lines: readonly string[],
  tokens: readonly Token[],
): { quoted: Set<number>; open: number } {
  const starts = startsOf(tokens, ['blockquote_open'])
  const quoted = new Set<number>()
  let open: { line: number; fence: string } | undefined
  for (const [line, text] of lines.entries()) {
    if (open !== undefined) quoted.add(line)
    if (!LIKE_FENCE.test(text)) continue
    const start = starts.get(line)
    const fence = FENCE.exec(text)?.[1]
    if (open !== undefined) {
      if (start === undefined || fence !== open.fence || text.includes('[!')) return { quoted, open: open.line }
      open = undefined
    } else if (start !== undefined) {
      if (fence === undefined || line !== start) return { quoted, open: line }
      open = { line, fence }
    }
  }
  return { quoted, open: open?.line ?? lines.length }
}

/** The lines from a quote or a list to the next blank line: parsers do not agree whether they continue it. */
function lazyLines(lines: readonly string[], tokens: readonly Token[], quoted: ReadonlySet<number>): number[] {
  const containers = startsOf(tokens, ['blockquote_open', 'bullet_list_open', 'ordered_list_open'])
  let isLazy = false
  return [...lines.keys()].filter((line) => {
    if (quoted.has(line) || /^[ \t]*$/.test(lines[line] ?? '')) isLazy = false
    else if (containers.has(line)) isLazy = true
    return isLazy
  })
}

/** For each line of top-level blocks of these types, the first line of its block. */
function startsOf(tokens: readonly Token[], types: readonly string[]): ReadonlyMap<number, number> {
  const starts = new Map<number, number>()
  for (const { type, level, map } of tokens) {
    if (!types.includes(type) || level !== 0 || !map) continue
    for (let line = map[0]; line < map[1]; line += 1) starts.set(line, map[0])
  }
  return starts
}
