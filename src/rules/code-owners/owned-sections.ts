// The owners of the changed files by a CODEOWNERS file: in each section the last entry that matches a file counts.
// Its patterns are those of Ruby's File.fnmatch, and match without backtracking beyond the last `*`
// (GitLab docs: user/project/codeowners/advanced).
import { memoize } from '../language/values/fingerprint.ts'
import { type CodeOwner, type CodeOwnersSection, readCodeOwners } from './read-code-owners.ts'

/** With more steps, the owners are unknown. */
const MOST_STEPS = 4_000_000

/** A section that has owners of the files. */
export interface OwnedSection {
  name: string
  optional: boolean
  /** Each owner once, in the order of the files. */
  owners: readonly CodeOwner[]
  /** The entries that own a file. So many owners of each must approve. */
  entries: readonly OwnedEntry[]
}

export type OwnedEntry = Pick<CodeOwnersSection['entries'][number], 'owners' | 'required' | 'problem'>

/** Or why they are unknown. */
type OwnedSections = readonly OwnedSection[] | { unknown: string }

/** Cached, because one file decides about many merge requests. */
const codeOwnersOf = memoize(16, (text: string) => {
  const { sections, refused } = readCodeOwners(text)
  return { refused, sections: sections.filter(({ entries }) => entries.length > 0).map(matchableOf) }
})

/** Its patterns, those of the last entry first. */
function matchableOf(section: CodeOwnersSection) {
  // A pattern that is there again stays in its place, with the last owners; an exclusion counts as its pattern.
  const once = new Map(section.entries.map((each) => [each.pattern, each]))
  const entries = [...once.values()].map(({ pattern, ...each }) => ({ ...each, pattern: pathPattern(pattern) }))
  return {
    section,
    excludes: entries.filter(({ excludes }) => excludes).map(({ pattern }) => pattern),
    entries: entries.filter(({ excludes }) => !excludes).reverse(),
  }
}

const partsOf = (path: string) => path.split('/').map((part) => [...part])

/** The sections with owners; unknown if the file is not read, or matching takes too many steps. */
export function ownedSections(text: string, paths: readonly string[]): OwnedSections {
  const { refused } = codeOwnersOf(text)
  return refused === undefined ? found(`${text}\0${paths.join('\0')}`) : { unknown: `of CODEOWNERS, ${refused}` }
}

/** Cached, because each source that is read causes another decision with the same question. */
const found = memoize(8, (question: string): OwnedSections => {
  const [text = '', ...paths] = question.split('\0')
  const steps = { left: MOST_STEPS }
  const all = paths.map(partsOf)
  const sections = codeOwnersOf(text).sections.map(({ section, excludes, entries }): OwnedSection => {
    // Many files have the same entry: its owners are collected once.
    const owning = new Set<OwnedEntry>()
    for (const path of all) {
      if (steps.left <= 0) break
      if (excludes.some((pattern) => fitsPath(pattern, path, steps))) continue
      const entry = entries.find(({ pattern }) => fitsPath(pattern, path, steps))
      // An entry without owners takes files from those before it, and asks for nobody.
      if (entry !== undefined && (entry.owners.length > 0 || entry.problem !== undefined)) owning.add(entry)
    }
    const { name, optional } = section
    const owners = [...new Set([...owning].map((entry) => entry.owners))].flat()
    const once = new Map(owners.map((owner) => [JSON.stringify(owner).toLowerCase(), owner]))
    return { name, optional, owners: [...once.values()], entries: [...owning] }
  })
  if (steps.left <= 0) return { unknown: 'CODEOWNERS takes too long to match with the changed files' }
  return sections.filter((section) => section.entries.length > 0)
})

/** The remaining steps; at 0 nothing is matched any more. */
type StepsLeft = { left: number }

type Token = 'any text' | 'any character' | { character: string } | { ranges: [string, string][]; negated: boolean }

/** A part of a path: `**` stands for any number of folders. */
type Step = 'folders' | readonly Token[]

type PathPattern = readonly Step[]

/** The class that begins at `start`, and its end; undefined if it has no end. */
function classAt(text: readonly string[], start: number): { token: Token; end: number } | undefined {
  let at = start + 1
  const negated = text[at] === '!' || text[at] === '^'
  if (negated) at++
  const ranges: [string, string][] = []
  for (let first = true; at < text.length; first = false) {
    if (text[at] === ']' && !first) return { token: { ranges, negated }, end: at }
    if (text[at] === '\\' && at + 1 < text.length) at++
    const from = text[at] ?? ''
    const isRange = text[at + 1] === '-' && text[at + 2] !== undefined && text[at + 2] !== ']'
    ranges.push([from, isRange ? (text[at + 2] ?? from) : from])
    at += isRange ? 3 : 1
  }
  return undefined
}

function tokensOf(part: string): Token[] {
  const text = [...part]
  const tokens: Token[] = []
  // A bracket without its end is a plain character, and so are all later ones.
  let hasClasses = true
  for (let at = 0; at < text.length; at++) {
    const each = text[at] ?? ''
    const found = each === '[' && hasClasses ? classAt(text, at) : undefined
    if (each === '[' && found === undefined) hasClasses = false
    if (found !== undefined) {
      tokens.push(found.token)
      at = found.end
    } else if (each === '*') {
      if (tokens.at(-1) !== 'any text') tokens.push('any text')
    } else if (each === '?') tokens.push('any character')
    else if (each === '\\' && at + 1 < text.length) tokens.push({ character: text[++at] ?? '' })
    else tokens.push({ character: each })
  }
  return tokens
}

/** A pattern of CODEOWNERS: without a slash at its start it fits anywhere; one at its end means a whole folder. */
export function pathPattern(written: string): PathPattern {
  const anywhere = written.startsWith('/') ? written.slice(1) : `**/${written}`
  const whole = anywhere === '' || anywhere.endsWith('/') ? `${anywhere}**/*` : anywhere
  const parts = whole.split('/')
  return parts.map((part, index) => (part === '**' && index < parts.length - 1 ? 'folders' : tokensOf(part)))
}

function isOf(token: Token, character: string): boolean {
  if (token === 'any text' || token === 'any character') return true
  if ('character' in token) return token.character === character
  return token.negated !== token.ranges.some(([from, to]) => from <= character && character <= to)
}

/** Whether the items fit the pattern, in which an item that `isOpen` stands for any number. */
function fits<P, T>(
  pattern: readonly P[],
  items: readonly T[],
  { isOpen, isOne, steps }: { isOpen(each: P): boolean; isOne(each: P, item: T): boolean; steps: StepsLeft },
): boolean {
  let [at, place, open, retry] = [0, 0, -1, 0]
  while (place < items.length) {
    if (steps.left-- <= 0) return false
    const each = pattern[at]
    const item = items[place] as T
    if (each !== undefined && isOpen(each)) {
      open = at++
      retry = place
    } else if (each !== undefined && isOne(each, item)) {
      at++
      place++
    } else if (open !== -1) {
      at = open + 1
      place = ++retry
    } else return false
  }
  while (at < pattern.length && isOpen(pattern[at] as P)) at++
  return at === pattern.length
}

/** Whether a path, in its parts, fits. False if the steps are used up: the caller checks `steps`. */
export function fitsPath(pattern: PathPattern, parts: readonly (readonly string[])[], steps: StepsLeft): boolean {
  return fits(pattern, parts, {
    steps,
    isOpen: (step) => step === 'folders',
    isOne: (step, part) =>
      step !== 'folders' && fits(step, part, { steps, isOpen: (token) => token === 'any text', isOne: isOf }),
  })
}
