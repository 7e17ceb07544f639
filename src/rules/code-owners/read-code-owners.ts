// Reads a CODEOWNERS file in GitLab's syntax (GitLab docs: user/project/codeowners/reference). Its text is hostile.
// What the service ignores is ignored here too, and is a problem with its line.

/** The folders that the service looks in, in its order: the first file counts. */
export const CODE_OWNERS_PATHS = ['CODEOWNERS', 'docs/CODEOWNERS', '.gitlab/CODEOWNERS'] as const

/** A longer file is not read. */
export const LONGEST_CODE_OWNERS = 200_000
const MOST_PROBLEMS = 100

/** `name`: a user or a group; `role`: the direct members of the project with exactly this role. */
export type CodeOwner = { name: string } | { role: 'developer' | 'maintainer' | 'owner' } | { email: string }

interface CodeOwnersEntry {
  /** Without the mark of an exclusion, and without escapes of spaces. */
  pattern: string
  /** Files that match have no owner in the section. */
  excludes: boolean
  owners: readonly CodeOwner[]
  /** How many of them must approve where the section is not optional. */
  required: number
  /** Why the owners may be others than are meant, with the line: absent if they are not. */
  problem?: string
}

export interface CodeOwnersSection {
  /** Empty for the entries before the first heading. */
  name: string
  optional: boolean
  entries: CodeOwnersEntry[]
}

/** Lines start at 1. */
type LineProblem = { line: number; problem: string }

type Heading = Pick<CodeOwnersSection, 'name' | 'optional'> & {
  required: number
  number?: string | undefined
} & ReturnType<typeof ownersIn>
/** `defaults`: the owners of entries that name none, with what is wrong with them. */
type OpenSection = CodeOwnersSection & {
  defaults: { owners: readonly CodeOwner[]; problem: string | undefined }
  required: number
}

const NAME = /^@([A-Za-z0-9_.][A-Za-z0-9_.-]{0,254}(?:\/[A-Za-z0-9_.][A-Za-z0-9_.-]{0,254}){0,20})$/
const ROLE = /^@@(developer|maintainer|owner)s?$/i
const EMAIL = /^[^@\s]{1,100}@[^@\s]{1,200}$/

function ownerOf(word: string): CodeOwner | undefined {
  const text = word.replace(/[,;:.]{1,3}$/, '')
  const [, role] = ROLE.exec(text) ?? []
  if (role !== undefined) return { role: role.toLowerCase() as 'developer' }
  const [, name] = NAME.exec(text) ?? []
  if (name !== undefined) return { name }
  return EMAIL.test(text) ? { email: text } : undefined
}

function ownersIn(text: string): { owners: CodeOwner[]; problems: string[] } {
  const words = text.split(/\s/).filter((word) => word !== '')
  const read = words.map((word) => ({ word, owner: ownerOf(word) }))
  const odd = read.find(({ owner }) => owner === undefined)
  const shown = (word: string) => JSON.stringify(word.slice(0, 60))
  return {
    owners: read.flatMap(({ owner }) => owner ?? []),
    problems: odd === undefined ? [] : [`${shown(odd.word)} is no owner: write @name, @group, @@role or an address`],
  }
}

/** A heading such as `^[Name][2] @alice`; undefined if the line is an entry. */
function headingOf(line: string): Heading | 'broken' | undefined {
  const optional = line.startsWith('^[')
  if (!optional && !line.startsWith('[')) return undefined
  const end = line.indexOf(']')
  const name = line.slice(optional ? 2 : 1, Math.max(end, 0)).trim()
  if (end === -1 || name === '') return 'broken'
  const behind = line.slice(end + 1)
  const [whole = '', number] = /^\[(\d{1,6})\]/.exec(behind) ?? []
  // The service requires one approval where the number is 0.
  return { name, optional, number, required: Math.max(1, Number(number ?? 1)), ...ownersIn(behind.slice(whole.length)) }
}

/** The index of the first white space that no backslash escapes. */
function endOfPattern(line: string): number {
  for (let index = 0; index < line.length; index++) {
    if (line[index] === '\\') index++
    else if (/\s/.test(line[index] ?? '')) return index
  }
  return line.length
}

function entryOf(line: string): Pick<CodeOwnersEntry, 'pattern' | 'excludes' | 'owners'> & { problems: string[] } {
  const excludes = line.startsWith('!')
  const text = excludes ? line.slice(1) : line
  const end = endOfPattern(text)
  const pattern = text
    .slice(0, end)
    .replace(/^\\#/, '#')
    .replace(/\\(\s)/g, '$1')
  const { owners, problems } = excludes ? { owners: [], problems: [] } : ownersIn(text.slice(end))
  return { pattern, excludes, owners, problems }
}

/** The sections in their order; `refused`: why it is not read. Never throws; the time grows with the length of the text. */
export function readCodeOwners(text: string): {
  sections: CodeOwnersSection[]
  problems: LineProblem[]
  refused?: string
} {
  const refused = text.includes('\0')
    ? 'a binary file is not read'
    : text.length > LONGEST_CODE_OWNERS
      ? `a file of more than ${LONGEST_CODE_OWNERS} characters is not read`
      : undefined
  if (refused !== undefined) return { sections: [], problems: [{ line: 1, problem: refused }], refused }
  const problems: LineProblem[] = []
  const sections = new Map<string, OpenSection>()
  let section = sectionOf(sections, { name: '', optional: false, required: 1, owners: [], problems: [] })
  let broken: string | undefined
  for (const [index, whole] of text.split(/\r\n|\r|\n/).entries()) {
    const line = whole.trim()
    if (line === '' || line.startsWith('#')) continue
    const add = (found: readonly string[]): string | undefined => {
      for (const problem of found) if (problems.length < MOST_PROBLEMS) problems.push({ line: index + 1, problem })
      return found[0] === undefined ? undefined : `line ${index + 1}: ${found[0]}`
    }
    const heading = headingOf(line)
    // The entries below it may be meant for another section.
    if (heading === 'broken') broken = add(['a section heading without a name in brackets is read as an entry'])
    else if (heading !== undefined) {
      section = sectionOf(sections, heading, add(heading.problems))
      if (Number(heading.number ?? 1) === 0) add(['a section requires at least 1 approval'])
      broken = undefined
      continue
    }
    const { problems: found, ...entry } = entryOf(line)
    const problem = add(found)
    if (entry.excludes) {
      section.entries.push({ ...entry, required: 0 })
      continue
    }
    const named = entry.owners.length > 0 ? { owners: entry.owners, problem } : section.defaults
    if (named.owners.length === 0) add([`${JSON.stringify(entry.pattern.slice(0, 60))} has no owner`])
    section.entries.push({
      ...entry,
      ...named,
      required: section.required,
      problem: problem ?? named.problem ?? broken,
    })
  }
  return {
    sections: [...sections.values()].map(({ defaults: _defaults, required: _required, ...each }) => each),
    problems,
  }
}

/** Sections with the same name, in any case, are one: required if one of them is. A heading counts for what follows. */
function sectionOf(
  sections: Map<string, OpenSection>,
  { name, optional, required, owners }: Heading,
  problem?: string,
): OpenSection {
  const before = sections.get(name.toLowerCase())
  const section = before ?? { name, optional, entries: [], defaults: { owners, problem }, required }
  section.optional &&= optional
  section.required = required
  if (owners.length > 0 || problem !== undefined) section.defaults = { owners, problem }
  sections.set(name.toLowerCase(), section)
  return section
}
