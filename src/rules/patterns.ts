// Users' patterns: globs and regular expressions, both held to linear time.
import { Minimatch } from 'minimatch'
import { RE2JS } from 're2js'
import { neededText } from './needed-text.ts'
import { remembered } from './remembered.ts'

export const LONGEST_EXPRESSION = 500
export const LONGEST_GLOB = 300
export const MOST_BRACES = 10
export const MOST_ALTERNATIVES = 200
const MOST_REMEMBERED = 1000
/** A longer text is not searched: the time is linear in it, and one merge request must not hold up the others. */
export const LONGEST_SEARCHED = 100_000

/** `path`: `*` stops at a slash, `**` does not. `name`: a label or a user, where a slash is a character like any other. */
export type GlobKind = 'path' | 'name'

function read(source: string): { compiled: RE2JS } | { problem: string } {
  if (source.length > LONGEST_EXPRESSION) return { problem: `a regular expression of at most ${LONGEST_EXPRESSION} characters` }
  try {
    return { compiled: RE2JS.compile(source) }
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'cannot be read'
    return { problem: `a regular expression in RE2 syntax, without look-around and back-references (${reason})` }
  }
}

/** Why the expression is refused, as what was expected instead; undefined where it is fine. */
export function problemOfExpression(source: string): string | undefined {
  const found = read(source)
  return 'problem' in found ? found.problem : undefined
}

/** At least as many as the braces expand to: each group multiplies, also where it only adds. */
function alternatives(glob: string): number {
  const open: number[] = []
  let product = 1
  for (const character of glob) {
    if (character === '{') open.push(1)
    else if (character === ',' && open.length > 0) open.push((open.pop() ?? 0) + 1)
    else if (character === '}') product *= open.pop() ?? 1
  }
  return product
}

/** Why the glob is refused, as what was expected instead; undefined where it is fine. */
export function problemOfGlob(glob: string): string | undefined {
  if (glob.length > LONGEST_GLOB) return `a glob of at most ${LONGEST_GLOB} characters`
  if (glob.split('{').length - 1 > MOST_BRACES) return `a glob with at most ${MOST_BRACES} braces`
  if (/\{[^{}]*\.\.[^{}]*\}/.test(glob)) return 'a glob without number ranges in braces'
  if (alternatives(glob) > MOST_ALTERNATIVES) return `a glob with at most ${MOST_ALTERNATIVES} alternatives`
  return undefined
}

type Matches = (text: string) => boolean

/** A matcher for an expression, compiled when a text may fit; an expression that is refused matches nothing. */
export function compileExpression(source: string): Matches {
  const needed = neededText(source)
  let matches: Matches | undefined
  return (text) => {
    if (!text.includes(needed)) return false
    if (matches === undefined) {
      const found = read(source)
      matches = 'problem' in found ? () => false : (each) => found.compiled.test(each)
    }
    return matches(text)
  }
}

export const expressionMatcher = remembered<string, Matches>(MOST_REMEMBERED, compileExpression)

// A slash means nothing in a name, so that `team::*` matches `team::a/b`; the replacement is a private-use character.
const asName = (text: string) => text.replaceAll('/', '\uE000')

/** Between texts that stand in one, before the first and after the last: no plain glob has it. */
export const BETWEEN = '\n'
const EXTRAORDINARY = /[\n/.][\n/]/

/**
 * Texts put together to one, so that all are searched at once; undefined unless each is ordinary: no part between slashes is empty, or ends
 * with a dot as `.` and `..` do, where matching has rules of its own.
 */
export function ordinaryText(texts: readonly unknown[]): string | undefined {
  for (const text of texts) if (typeof text !== 'string' || text.length > LONGEST_SEARCHED || text.includes(BETWEEN)) return undefined
  if (texts.length === 0) return ''
  const all = `${BETWEEN}${texts.join(BETWEEN)}${BETWEEN}`
  return EXTRAORDINARY.test(all) ? undefined : all
}

export const isOrdinary = (text: string): boolean => ordinaryText([text]) !== undefined

const LITERAL = /^[\w@:.,;=%&~ /-]+$/

/** A glob that is fitted by a text itself, by all texts in a folder (`docs/`), by all with an ending (`.md`), or by all names that begin so (`blocked::`). */
export interface PlainGlob {
  by: 'itself' | 'folder' | 'ending' | 'beginning'
  text: string
}

/** What most globs come to for a text that is ordinary, without a look at each of its parts; undefined for any other glob. */
export function plainGlob(glob: string, kind: GlobKind): PlainGlob | undefined {
  if (glob.length > LONGEST_GLOB) return undefined
  if (LITERAL.test(glob)) return isOrdinary(glob) ? { by: 'itself', text: glob } : undefined
  if (kind === 'name') {
    const beginning = glob.slice(0, -1)
    return glob.endsWith('*') && LITERAL.test(beginning) ? { by: 'beginning', text: beginning } : undefined
  }
  if (glob.endsWith('/**')) {
    const folder = glob.slice(0, -2)
    return LITERAL.test(folder) && isOrdinary(folder.slice(0, -1)) ? { by: 'folder', text: folder } : undefined
  }
  const end = /^\*\*\/\*(\.\w+)$/.exec(glob)?.[1]
  return end === undefined ? undefined : { by: 'ending', text: end }
}

/** Whether a text that is ordinary fits. */
export function fitsPlain({ by, text }: PlainGlob, given: string): boolean {
  if (by === 'itself') return given === text
  if (by === 'ending') return given.endsWith(text)
  // Most paths differ in where their folder ends: that is seen sooner.
  return given.charCodeAt(text.length - 1) === text.charCodeAt(text.length - 1) && given.startsWith(text)
}

const matchersOf = (kind: GlobKind) =>
  remembered<string, Matches>(MOST_REMEMBERED, (glob) => {
    if (problemOfGlob(glob) !== undefined) return (text) => text === glob
    const options = { dot: true, noext: true, nonegate: true, nocomment: true, platform: 'linux' as const }
    const compiled = new Minimatch(kind === 'name' ? asName(glob) : glob, options)
    return (text) => text === glob || compiled.match(kind === 'name' ? asName(text) : text)
  })
const matchers: Record<GlobKind, (glob: string) => Matches> = { path: matchersOf('path'), name: matchersOf('name') }

/** A matcher for a glob or the plain text itself; a glob that is refused matches only itself. */
export const globMatcher = (glob: string, kind: GlobKind): Matches => matchers[kind](glob)
