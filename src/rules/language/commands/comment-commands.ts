// Commands in notes, `@bellhop merge` at the start of a line of a top-level paragraph, and `command:` of a rule.
import { createRequire } from 'node:module'
import type { default as MarkdownConstructor, MarkdownIt, Token } from 'markdown-it'
import type { Condition } from '../values/rule-types.ts'
import { type Issue, type Path, refuse, type ShapeSchema } from '../values/shapes.ts'

/** Longer notes are not searched: their Markdown would take too long to parse. */
export const LONGEST_NOTE = 4_000

/** The words that follow the bot's name at the start of lines, in order, each once. */
export function commandsIn(text: string, username: string): string[] {
  // Most notes mention no bot and are not parsed.
  if (
    text.length > LONGEST_NOTE ||
    !/^[ \t]*@/m.test(text) ||
    !text.toLowerCase().includes(`@${username.toLowerCase()}`)
  )
    return []
  const found = paragraphLines(text).map((line) => commandOf(line, username))
  return [...new Set(found.filter((word) => word !== undefined))]
}

function commandOf(line: string, username: string): string | undefined {
  const [, name, word = HELP] =
    /^@([A-Za-z0-9_.-]{1,255})(?:[ \t]+([A-Za-z][A-Za-z0-9_-]{0,39})(?:[ \t.,!?].*|)|[ \t]*)$/.exec(line) ?? []
  return name?.toLowerCase() === username.toLowerCase() ? word.toLowerCase() : undefined
}

/** Commands that Bellhop answers itself. The mention alone is `help`. */
export const [WHY, HELP] = ['why', 'help']
const BUILT_IN = [WHY, HELP]

const COMMAND = /^[a-z][a-z0-9_-]{0,39}$/

export const commandSchema: ShapeSchema = { type: 'string', pattern: COMMAND.source, not: { enum: BUILT_IN } }

/** Whether it is a word that can follow the bot's name, in small letters. */
export const isCommandWord = (value: unknown): value is string => typeof value === 'string' && COMMAND.test(value)

/** `merge`, `release-notes` */
export function readCommand(value: unknown, path: Path, issues: Issue[]): string | undefined {
  const isOwn = isCommandWord(value) && BUILT_IN.includes(value)
  if (isCommandWord(value) && !isOwn) return value
  const found = isOwn ? 'a command that Bellhop answers itself' : undefined
  return refuse(issues, { path, expected: 'a word of small letters, digits, - and _', found })
}

/** The conditions for the command, and for who may use it. */
export function commandConditions(word: string, { needsMaintainer }: { needsMaintainer: boolean }): Condition[] {
  return [
    { fact: 'command', operator: 'any', expected: [word] },
    { fact: 'actor_access', operator: 'at_least', expected: needsMaintainer ? 'maintainer' : 'developer' },
  ]
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
