// Users' patterns: globs and regular expressions that match in linear time, with limits on compiled size and text length.
import { Minimatch } from 'minimatch'
import { RE2JS } from 're2js'
import { memoize } from '../values/memoize.ts'
import { estimateInstructions } from './pattern-size.ts'
import { requiredText } from './required-text.ts'

export const LONGEST_EXPRESSION = 500
export const LONGEST_GLOB = 300
export const MOST_BRACES = 10
export const MOST_ALTERNATIVES = 200
/** Of the compiled program of one expression. */
export const MOST_INSTRUCTIONS = 1000
/** Of all expressions and globs of a file together, so that compiling them does not take long either. */
export const MOST_INSTRUCTIONS_OF_FILE = 10_000
const MOST_REMEMBERED = 1000
/** A longer text is not matched, whatever the pattern. */
export const LONGEST_SEARCHED = 100_000
/** One step is one instruction tried at one character. This many take less than 50 ms (`npm run bench -- bad-input`). */
export const MOST_STEPS_AT_ONCE = 1_000_000
/** What a match costs besides its text, in steps. */
const STEPS_OF_START = 32
/** What compiling a glob takes for its size: it becomes many expressions of the JavaScript engine. */
const STEPS_TO_COMPILE = 4000
/** A plain search looks at so many characters in the time of one step. */
const CHARACTERS_PER_STEP = 8

/** `path`: `*` stops at a slash, `**` does not. `name`: a label or a user, where a slash is a character like any other. */
export type GlobKind = 'path' | 'name'

/** Why a pattern is refused, in the words of a problem. */
export interface PatternProblem {
  expected: string
  found?: string
  hint?: string
}

type Compiled = { regex: RE2JS; size: number } | { problem: PatternProblem }

function tooLarge(found: string): { problem: PatternProblem } {
  return {
    problem: {
      expected: `a regular expression of at most ${MOST_INSTRUCTIONS} instructions when compiled`,
      found,
      hint: 'shorten repetitions such as {0,900}, and name fewer Unicode classes',
    },
  }
}

const compile = memoize<string, Compiled>(MOST_REMEMBERED, (source) => {
  if (source.length > LONGEST_EXPRESSION)
    return { problem: { expected: `a regular expression of at most ${LONGEST_EXPRESSION} characters` } }
  // Compiling alone can take long: what is far too large is refused before.
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

/** Why the expression is refused; undefined where it is fine. */
export function problemOfExpression(source: string): PatternProblem | undefined {
  const found = compile(source)
  return 'problem' in found ? found.problem : undefined
}

/** What the expression counts for among all of its file: its instructions, more where wide classes make compiling slow. */
export function instructionsOf(source: string): number {
  const found = compile(source)
  return 'problem' in found ? 0 : Math.max(found.size, estimateInstructions(source))
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

/** What a glob counts for among all patterns of its file; one that is plain is compared, and not compiled. */
export function sizeInFile(glob: string): number {
  return plainGlob(glob, 'path') === undefined && plainGlob(glob, 'name') === undefined ? sizeOfGlob(glob) : 0
}

/** A glob in terms of an expression's instructions: minimatch tries each alternative in native code. */
const sizeOfGlob = (glob: string): number => (glob.length * alternatives(glob)) / 16

/** Why the glob is refused, as what was expected instead; undefined where it is fine. */
export function problemOfGlob(glob: string): string | undefined {
  if (glob.length > LONGEST_GLOB) return `a glob of at most ${LONGEST_GLOB} characters`
  if (glob.split('{').length - 1 > MOST_BRACES) return `a glob with at most ${MOST_BRACES} braces`
  if (/\{[^{}]*\.\.[^{}]*\}/.test(glob)) return 'a glob without number ranges in braces'
  if (alternatives(glob) > MOST_ALTERNATIVES) return `a glob with at most ${MOST_ALTERNATIVES} alternatives`
  return undefined
}

/** A pattern that texts are matched against. */
export interface Pattern {
  /** At most how many steps matching the text takes; 0 where the text is too long to be matched. The same text costs the same. */
  steps(text: string): number
  /** What has to be done once before the first match; 0 where it was. */
  stepsToCompile(): number
  /** Why the text is not matched; undefined where it is. */
  unmatched(text: string): string | undefined
  /** Whether the text fits; only for texts that are matched. */
  matches(text: string): boolean
  /** The same for ordinary texts alone, by one comparison. */
  plain?: ((text: string) => boolean) | undefined
}

/** `size` is called only if the text may fit: not where it lacks what every match contains. */
interface PatternSource {
  size: () => number
  lacks: (text: string) => boolean
  stepsToCompile: () => number
  matches: (text: string) => boolean
}

function createPattern({ size, lacks, stepsToCompile, matches }: PatternSource): Pattern {
  const longest = () => Math.min(LONGEST_SEARCHED, Math.floor((MOST_STEPS_AT_ONCE - STEPS_OF_START) / size()))
  const isTooLong = (text: string) => text.length > LONGEST_SEARCHED || (!lacks(text) && text.length > longest())
  return {
    steps(text) {
      if (isTooLong(text)) return 0
      return STEPS_OF_START + (lacks(text) ? text.length / CHARACTERS_PER_STEP : text.length * size())
    },
    stepsToCompile,
    unmatched(text) {
      if (!isTooLong(text)) return undefined
      const most = text.length > LONGEST_SEARCHED ? LONGEST_SEARCHED : longest()
      return `a text of ${text.length} characters is not matched: this pattern takes at most ${most}`
    },
    matches: (text) => !lacks(text) && matches(text),
  }
}

/** An expression, compiled when a text may fit; one that is refused matches nothing. */
function createExpression(source: string): Pattern {
  const needed = requiredText(source)
  // The same text is asked about several times in a row.
  let last: { text: string; lacks: boolean } | undefined
  return createPattern({
    size: () => sizeOf(compile(source)),
    lacks(text) {
      if (last?.text !== text) last = { text, lacks: !text.includes(needed) }
      return last.lacks
    },
    // `size` compiles it, before any match.
    stepsToCompile: () => 0,
    matches(text) {
      const found = compile(source)
      // `find` and not `test`: the automaton behind `test` is faster on most texts, but takes ten times as long for each step on hostile ones, and keeps megabytes for each expression.
      return !('problem' in found) && found.regex.matcher(text).find()
    },
  })
}

const sizeOf = (compiled: Compiled) => ('problem' in compiled ? 0 : compiled.size)

export const expressionPattern = memoize<string, Pattern>(MOST_REMEMBERED, createExpression)

// A slash means nothing in a name, so that `team::*` matches `team::a/b`; the replacement is a private-use character.
const asName = (text: string) => text.replaceAll('/', '\uE000')

const EXTRAORDINARY = /[\n/.][\n/]/

/**
 * Whether plain globs can be compared with the texts: no part between slashes is empty, or ends with a dot as `.` and
 * `..` do, where matching has rules of its own.
 */
export function areOrdinary(texts: readonly unknown[]): boolean {
  const isShort = (text: unknown) => typeof text === 'string' && text.length <= LONGEST_SEARCHED && !text.includes('\n')
  return texts.every(isShort) && (texts.length === 0 || !EXTRAORDINARY.test(`\n${texts.join('\n')}\n`))
}

const isOrdinary = (text: string): boolean => areOrdinary([text])

const LITERAL = /^[\w@:.,;=%&~ /-]+$/

/** Whether an ordinary text fits, without a look at each of its parts; undefined for a glob that is not plain. */
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
  const pattern = createPattern({
    size: () => size,
    lacks: () => false,
    stepsToCompile: () => (compiled === undefined ? size * STEPS_TO_COMPILE : 0),
    matches(text) {
      if (text === glob || isRefused) return text === glob
      compiled ??= new Minimatch(kind === 'name' ? asName(glob) : glob, globOptions)
      return compiled.match(kind === 'name' ? asName(text) : text)
    },
  })
  return { ...pattern, plain: plainGlob(glob, kind) }
}

const globs: Record<GlobKind, (glob: string) => Pattern> = {
  path: memoize(MOST_REMEMBERED, (glob) => createGlob(glob, 'path')),
  name: memoize(MOST_REMEMBERED, (glob) => createGlob(glob, 'name')),
}

/** A glob, or a plain text itself; a glob that is refused matches only itself. */
export const globPattern = (glob: string, kind: GlobKind): Pattern => globs[kind](glob)

/** Whether a text fits a glob of the operator or the service. Not counted in steps. */
export const globMatcher = (glob: string, kind: GlobKind): ((text: string) => boolean) =>
  globPattern(glob, kind).matches
