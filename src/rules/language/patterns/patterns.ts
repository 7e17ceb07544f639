// Globs and regular expressions of rule files: they match in linear time, with limits on compiled size and text length.
import { Minimatch } from 'minimatch'
import { RE2JS } from 're2js'
import { memoize } from '../values/fingerprint.ts'
import { listOf, refuse, type Shape, textSchema } from '../values/shapes.ts'
import { estimateInstructions, requiredText } from './pattern-size.ts'

export const LONGEST_EXPRESSION = 500
export const LONGEST_GLOB = 300
export const MOST_BRACES = 10
export const MOST_ALTERNATIVES = 200
export const MOST_INSTRUCTIONS = 1000
/** The limit for all expressions and globs of a file together, so that compiling them is quick. */
export const MOST_INSTRUCTIONS_OF_FILE = 10_000
const MOST_REMEMBERED = 1000
/** A longer text is not matched, whatever the pattern. */
export const LONGEST_SEARCHED = 100_000
/** One step: one instruction tried at one character. This many take less than 50 ms (`npm run bench -- bad-input`). */
export const MOST_STEPS_AT_ONCE = 1_000_000
/** The steps that starting a match costs. */
const STEPS_OF_START = 32
/** What compiling one alternative of a glob is worth: it becomes many expressions of the JavaScript engine. */
const INSTRUCTIONS_OF_ALTERNATIVE = 4
/** How many characters a plain search reads in the time of one step. */
const CHARACTERS_PER_STEP = 8
/** Reading the groups of a match matches a second time, and each group is copied along. */
const STEPS_OF_GROUPS = { match: 1, group: 0.25 }

/** `path`: `*` stops at a slash, `**` does not. `name`: a slash is an ordinary character, as in a label. */
export type GlobKind = 'path' | 'name'

/** Why a pattern is refused. */
export interface PatternProblem {
  expected: string
  found?: string
  hint?: string
}

/** The texts of the named groups of a match; null if a group took no part in it. */
export type MatchGroups = Readonly<Record<string, string | null>>

type CompileResult = { regex: RE2JS; size: number } | { problem: PatternProblem }

function tooLarge(found: string): { problem: PatternProblem } {
  return {
    problem: {
      expected: `a regular expression of at most ${MOST_INSTRUCTIONS} instructions when compiled`,
      found,
      hint: 'shorten repetitions such as {0,900}, and name fewer Unicode classes',
    },
  }
}

const compile = memoize<CompileResult>(MOST_REMEMBERED, (source) => {
  if (source.length > LONGEST_EXPRESSION)
    return { problem: { expected: `a regular expression of at most ${LONGEST_EXPRESSION} characters` } }
  // Compiling can take long, so patterns that are far too large are refused before.
  const estimate = estimateInstructions(source)
  if (estimate > 2 * MOST_INSTRUCTIONS) return tooLarge(`one of about ${estimate}`)
  try {
    const regex = RE2JS.compile(source)
    const size = regex.programSize()
    return size > MOST_INSTRUCTIONS ? tooLarge(`one of ${size}`) : { regex, size }
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : 'cannot be read'
    return {
      problem: { expected: `a regular expression in RE2 syntax, without look-around and back-references (${reason})` },
    }
  }
})

/** Why the expression is refused; undefined if it is valid. */
export function problemOfExpression(source: string): PatternProblem | undefined {
  const found = compile(source)
  return 'problem' in found ? found.problem : undefined
}

/** The names of the expression's groups. */
export function groupNames(source: string): string[] {
  const found = /\(\?P?</.test(source) ? compile(source) : undefined
  return found === undefined || 'problem' in found ? [] : Object.keys(found.regex.namedGroups())
}

/** The expression's share of `MOST_INSTRUCTIONS_OF_FILE`: its instructions, more if wide classes slow compiling. */
export function instructionsOf(source: string): number {
  const found = compile(source)
  return 'problem' in found ? 0 : Math.max(found.size, estimateInstructions(source))
}

/** An upper bound of the texts that the braces expand to: groups are multiplied even if they only add. */
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

/** The glob's share of `MOST_INSTRUCTIONS_OF_FILE`. A plain glob is compared and not compiled. */
export function sizeInFile(glob: string): number {
  return plainGlob(glob, 'path') === undefined && plainGlob(glob, 'name') === undefined
    ? alternatives(glob) * INSTRUCTIONS_OF_ALTERNATIVE + sizeOfGlob(glob)
    : 0
}

/** The size of a glob in instructions of an expression: minimatch tries each alternative in native code. */
const sizeOfGlob = (glob: string): number => (glob.length * alternatives(glob)) / 32

/** What was expected instead of the glob; undefined if it is valid. */
export function problemOfGlob(glob: string): string | undefined {
  if (glob.length > LONGEST_GLOB) return `a glob of at most ${LONGEST_GLOB} characters`
  if (glob.split('{').length - 1 > MOST_BRACES) return `a glob with at most ${MOST_BRACES} braces`
  if (/\{[^{}]*\.\.[^{}]*\}/.test(glob)) return 'a glob without number ranges in braces'
  if (alternatives(glob) > MOST_ALTERNATIVES) return `a glob with at most ${MOST_ALTERNATIVES} alternatives`
  return undefined
}

export interface Pattern {
  /** The most steps that matching the text takes; 0 if it is too long to be matched. */
  steps(text: string): number
  /** Why the text is too long to be matched; undefined if it is not. */
  unmatched(text: string): string | undefined
  /** Whether a text that is not too long fits. */
  matches(text: string): boolean
  /** Whether a text fits, by one comparison; for ordinary texts only. */
  plain?: (text: string) => boolean
  /** The named groups of an expression in a text; undefined if it does not fit. `steps` covers them. */
  groups?: (text: string) => MatchGroups | undefined
}

/** `lacks`: the text does not contain what every match contains. `size` is not called for such a text. */
function createPattern(
  size: () => number,
  lacks: (text: string) => boolean,
  matches: (text: string) => boolean,
): Pattern {
  const longest = () => Math.min(LONGEST_SEARCHED, Math.floor((MOST_STEPS_AT_ONCE - STEPS_OF_START) / size()))
  const isTooLong = (text: string) => text.length > LONGEST_SEARCHED || (!lacks(text) && text.length > longest())
  return {
    steps(text) {
      if (isTooLong(text)) return 0
      return STEPS_OF_START + (lacks(text) ? text.length / CHARACTERS_PER_STEP : text.length * size())
    },
    unmatched(text) {
      if (!isTooLong(text)) return undefined
      const most = text.length > LONGEST_SEARCHED ? LONGEST_SEARCHED : longest()
      return `a text of ${text.length} characters is not matched: this pattern takes at most ${most}`
    },
    matches: (text) => !lacks(text) && matches(text),
  }
}

/** An expression. It is compiled when the first text may fit. A refused one matches nothing. */
function createExpression(source: string): Pattern {
  const needed = requiredText(source)
  const pattern = createPattern(
    () => stepsOf(compile(source)),
    (text) => !text.includes(needed),
    (text) => {
      const found = compile(source)
      // Not `test`: its automaton takes ten times as long on hostile texts, and megabytes for each expression.
      return !('problem' in found) && found.regex.matcher(text).find()
    },
  )
  const groups = (text: string) => (pattern.unmatched(text) === undefined ? readGroups(source, text) : undefined)
  return { ...pattern, groups }
}

function readGroups(source: string, text: string): MatchGroups | undefined {
  const found = compile(source)
  if ('problem' in found) return undefined
  const matcher = found.regex.matcher(text)
  if (!matcher.find()) return undefined
  return Object.fromEntries(groupNames(source).map((name) => [name, matcher.group(name)]))
}

function stepsOf(compiled: CompileResult): number {
  if ('problem' in compiled) return 0
  const { regex, size } = compiled
  if (Object.keys(regex.namedGroups()).length === 0) return size
  return size * (1 + STEPS_OF_GROUPS.match + STEPS_OF_GROUPS.group * regex.groupCount())
}

export const expressionPattern = memoize<Pattern>(MOST_REMEMBERED, createExpression)

// Makes a slash an ordinary character, so that `team::*` matches `team::a/b`: it becomes a private-use character.
const asName = (text: string) => text.replaceAll('/', '\uE000')

const EXTRAORDINARY = /[\n/.][\n/]/

/** Whether plain globs can be compared with the texts. Minimatch treats empty segments, `.` and `..` in its own way. */
export function areOrdinary(texts: readonly unknown[]): boolean {
  const isShort = (text: unknown) => typeof text === 'string' && text.length <= LONGEST_SEARCHED && !text.includes('\n')
  return texts.every(isShort) && (texts.length === 0 || !EXTRAORDINARY.test(`\n${texts.join('\n')}\n`))
}

const isOrdinary = (text: string): boolean => areOrdinary([text])

const LITERAL = /^[\w@:.,;=%&~ /-]+$/

/** Compares a plain glob with an ordinary text; undefined for any other glob. */
function plainGlob(glob: string, kind: GlobKind): ((text: string) => boolean) | undefined {
  if (glob.length > LONGEST_GLOB) return undefined
  if (LITERAL.test(glob)) return isOrdinary(glob) ? (text) => text === glob : undefined
  if (kind === 'name') {
    const beginning = glob.slice(0, -1)
    return glob.endsWith('*') && LITERAL.test(beginning) ? (text) => text.startsWith(beginning) : undefined
  }
  if (glob.endsWith('/**')) {
    const folder = glob.slice(0, -2)
    return LITERAL.test(folder) && isOrdinary(folder.slice(0, -1)) ? (text) => text.startsWith(folder) : undefined
  }
  const ending = /^\*\*\/\*(\.\w+)$/.exec(glob)?.[1]
  return ending === undefined ? undefined : (text) => text.endsWith(ending)
}

const globOptions = { dot: true, noext: true, nonegate: true, nocomment: true, platform: 'linux' as const }

function createGlob(glob: string, kind: GlobKind): Pattern {
  const [size, isRefused] = [sizeOfGlob(glob), problemOfGlob(glob) !== undefined]
  let compiled: Minimatch | undefined
  const matches = (text: string) => {
    if (text === glob || isRefused) return text === glob
    compiled ??= new Minimatch(kind === 'name' ? asName(glob) : glob, globOptions)
    return compiled.match(kind === 'name' ? asName(text) : text)
  }
  const pattern = createPattern(
    () => size,
    () => false,
    matches,
  )
  return { ...pattern, plain: plainGlob(glob, kind) }
}

const globs: Record<GlobKind, (glob: string) => Pattern> = {
  path: memoize(MOST_REMEMBERED, (glob) => createGlob(glob, 'path')),
  name: memoize(MOST_REMEMBERED, (glob) => createGlob(glob, 'name')),
}

/** A glob, or a plain text. A refused glob matches only itself. */
export const globPattern = (glob: string, kind: GlobKind): Pattern => globs[kind](glob)

/** A matcher for globs of the operator or the service, which are not counted in steps. */
export const globMatcher = (glob: string, kind: GlobKind): ((text: string) => boolean) =>
  globPattern(glob, kind).matches

const globOf = (expected: string): Shape<string> => ({
  expected,
  schema: () => textSchema(LONGEST_GLOB),
  read(value, path, issues) {
    const problem = typeof value === 'string' && value.trim() !== '' ? problemOfGlob(value) : expected
    return problem === undefined ? String(value) : refuse(issues, { path, expected: problem })
  },
})

export const branchPattern = globOf('a glob of branch names')

/** One glob, or a list of them. */
export const projectPatterns: Shape<string[]> = listOf(globOf('a glob of full project paths, such as hotel/*'))

/** Whether a glob fits the project. Ignores case, as paths of the service do. */
export function fitsProject(patterns: readonly string[], fullPath: string): boolean {
  const path = fullPath.toLowerCase()
  return patterns.some((each) => globMatcher(each.toLowerCase(), 'path')(path))
}
