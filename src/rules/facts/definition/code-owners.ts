// Which owners of the changed files have not approved yet, by CODEOWNERS (GitLab docs: user/project/codeowners).
// What cannot be read is unknown, never approved.
import { type OwnedEntry, type OwnedSection, ownedSections } from '../../code-owners/owned-sections.ts'
import { CODE_OWNERS_PATHS, type CodeOwner, LONGEST_CODE_OWNERS } from '../../code-owners/read-code-owners.ts'
import { levelNumber } from '../../language/operators/fact-types.ts'
import { isMap } from '../../language/values/shapes.ts'
import { cut } from '../../language/values/wording.ts'
import { type CountedApprovals, countApprovals } from './consent.ts'
import type { Absent, FactView, Reading } from './fact.ts'
import { foreignGroup, isOwnGroup, membersIn } from './group-members.ts'
import { userIn } from './service-values.ts'
import { sources } from './sources.ts'

/** The text of the first CODEOWNERS file that there is, in the order of the service; or why it cannot be read. */
export function codeOwnersFile(
  read: (path: string) => Reading<unknown>,
): { text: string } | { unread: string } | 'none' {
  for (const path of CODE_OWNERS_PATHS) {
    const reading = read(path)
    if (reading.is === 'read') {
      const text = decoded(reading.body)
      return text === undefined ? { unread: `${path} cannot be read, or is too long` } : { text }
    }
    if (reading.status !== 404) return { unread: `${path} of the target branch cannot be read` }
  }
  return 'none'
}

/** The text of a file that the service sends as base64. */
export function decoded(body: unknown): string | undefined {
  const content = isMap(body) ? body.content : undefined
  if (typeof content !== 'string' || content.length > 2 * LONGEST_CODE_OWNERS) return undefined
  try {
    return new TextDecoder().decode(Uint8Array.from(atob(content), (character) => character.charCodeAt(0)))
  } catch {
    return undefined
  }
}

interface MissingOwners {
  /** A text for each section that certainly lacks approvals, and for each that may lack some. */
  missing: string[]
  unknown: string[]
  remark?: string
}

/** The required sections whose owners have not approved. Each entry that owns a file counts for itself, as in Premium. */
export function missingOwners(view: FactView, paths: readonly string[]): MissingOwners | Absent {
  const file = codeOwnersFile((path) => view.source(sources.codeOwners, path))
  if (file === 'none') return { missing: [], unknown: [], remark: 'the target branch has no CODEOWNERS file' }
  if ('unread' in file) return { is: 'absent', reason: file.unread }
  const owned = ownedSections(file.text, paths)
  if ('unknown' in owned) return { is: 'absent', reason: owned.unknown }
  const required = owned.filter(({ optional }) => !optional)
  if (required.length === 0) return { missing: [], unknown: [], remark: 'no section requires an approval' }
  const reading = view.source(sources.approvals)
  if (reading.is !== 'read') return reading
  const approvals = countApprovals(reading.body, view)
  if (approvals === undefined) return { is: 'absent', reason: 'the hosting service does not say who approved' }
  const people = peopleReader(view)
  const verdicts = required.map((section) => ofSection(section, approvals, people))
  const { others } = approvals
  return {
    missing: verdicts.flatMap((each) => each.missing ?? []),
    unknown: verdicts.flatMap((each) => each.unknown ?? []),
    ...(others.length === 0 ? {} : { remark: `not counted: ${others.join('; ')}` }),
  }
}

/** The people that an owner stands for; `unread`: why somebody else may be one of them. */
type People = { has(name: string): boolean; unread?: string | undefined }
type ReadPeople = (owner: CodeOwner) => People
/** Empty if the owners have approved. */
type Verdict = { missing?: string; unknown?: string }

const LONGEST_TEXT = 400
const MOST_SHOWN = 10
/** More groups are not read. */
const MOST_GROUPS = 30

const once = (texts: readonly string[], between: string) => [...new Set(texts)].join(between)

function ofSection({ name, entries }: OwnedSection, approvals: CountedApprovals, people: ReadPeople): Verdict {
  const said = (text: string) => cut(`${name === '' ? 'CODEOWNERS' : cut(name, 100)}: ${text}`, LONGEST_TEXT)
  // Many entries have the default owners.
  const distinct = new Map(entries.map((entry) => [entry.problem ?? entry.owners, entry]))
  const verdicts = [...distinct.values()].map((entry) => ofEntry(entry, approvals, people))
  const missing = verdicts.flatMap((each) => each.missing ?? [])
  if (missing.length > 0) return { missing: said(`needs ${once(missing, ' and ')}`) }
  const unknown = verdicts.flatMap((each) => each.unknown ?? [])
  return unknown.length === 0 ? {} : { unknown: said(once(unknown, '; ')) }
}

const lower = (name: string) => name.toLowerCase()

/** Groups are read only if somebody who is not named has approved. */
function ofEntry({ owners, required, problem }: OwnedEntry, { names, unknown }: CountedApprovals, people: ReadPeople) {
  if (problem !== undefined) return { unknown: `the file has an error in ${problem}` }
  const named = new Set(owners.flatMap((owner) => ('name' in owner ? lower(owner.name) : [])))
  const isNamed = (name: string) => named.has(lower(name))
  const approved = new Set(names.map(lower))
  const others = owners.filter((owner) => !('name' in owner && approved.has(lower(owner.name))))
  const missing = (given: number): Verdict => ({ missing: `${required - given} of ${sayOwners(others)}` })
  const direct = names.filter(isNamed).length
  if (direct >= required) return {}
  if (names.length + unknown.length < required) return missing(direct)
  const read = [...names, ...unknown.map(({ name }) => name)].every(isNamed) ? [] : others.map(people)
  const isOwner = (name: string) => isNamed(name) || read.some((each) => each.has(name))
  const given = names.filter(isOwner).length
  if (given >= required) return {}
  const unread = read.flatMap((each) => each.unread ?? [])
  const perhaps = unknown.filter(({ name }) => unread.length > 0 || isOwner(name))
  const most = perhaps.length + (unread.length > 0 ? names.length : given)
  return most < required ? missing(given) : { unknown: once([...unread, ...perhaps.map(({ why }) => why)], '; ') }
}

/** As CODEOWNERS names them: who is in a group may be private. */
function sayOwners(owners: readonly CodeOwner[]): string {
  const said = owners.map((owner) =>
    'email' in owner ? owner.email : 'role' in owner ? `@@${owner.role}` : `@${owner.name}`,
  )
  const more = said.length > MOST_SHOWN ? [`${said.length - MOST_SHOWN} more`] : []
  return [...said.slice(0, MOST_SHOWN), ...more].join(', ')
}

const nobody = (unread?: string): People => ({ has: () => false, unread })

function peopleReader(view: FactView): ReadPeople {
  const groups = new Map<string, People>()
  return (owner) => {
    if ('email' in owner) return nobody(`whose address ${owner.email} is cannot be read: name the user in its place`)
    if ('role' in owner) {
      const level = levelNumber(owner.role)
      return membersOf(view.source(sources.projectMembers), { said: 'the project', level }, view)
    }
    const { name } = owner
    if (view.policy?.groups !== 'any') {
      const project = view.source(sources.project)
      if (project.is !== 'read') return nobody('the path of the project cannot be read')
      // A user name has no slash. A group of others whose path has none is taken for a user who has not approved.
      if (!isOwnGroup(name, project.body.path_with_namespace))
        return nobody(name.includes('/') ? foreignGroup(name) : undefined)
    }
    const before = groups.get(name)
    if (before === undefined && groups.size >= MOST_GROUPS)
      return nobody(`more than ${MOST_GROUPS} groups are not read`)
    const found = before ?? ofGroup(name, view)
    groups.set(name, found)
    return found
  }
}

function ofGroup(name: string, view: FactView): People {
  const members = view.source(sources.groupDirectMembers, name)
  if (members.is !== 'read' && !name.includes('/')) {
    const users = view.source(sources.user, name)
    if (users.is === 'read' && userIn(users.body, name) !== undefined) return nobody()
  }
  return membersOf(members, { said: `@${name}` }, view)
}

/** `level`: only members with exactly this one count. */
function membersOf(
  reading: Reading<unknown>,
  { said, level }: { said: string; level?: number | undefined },
  { now }: FactView,
): People {
  if (reading.is !== 'read') return nobody(`who is in ${said} cannot be read`)
  const { members, unread } = membersIn(reading, now)
  const has = (name: string) => {
    const member = members.get(name.toLowerCase())
    return member !== undefined && (level === undefined || member.level === level)
  }
  return { has, unread: unread && `${said} ${unread}` }
}
