// What a rule test states about the service other than facts: groups, what people do, who set labels, and CODEOWNERS.
import { CODE_OWNERS_PATHS, LONGEST_CODE_OWNERS } from '../code-owners/read-code-owners.ts'
import { sources } from '../facts/definition/sources.ts'
import { level, levelNumber } from '../language/operators/fact-types.ts'
import { groupPath } from '../language/operators/operator-shapes.ts'
import { choice, type Issue, isMap, listOf, type Path, refuse, text } from '../language/values/shapes.ts'
import type { SourceAnswer, SourceAnswers, SourceName } from '../types.ts'
import { answer } from './ordinary-merge-request.ts'
import type { TestedService } from './test-types.ts'

const userName = text(255, 'a user name')
const people = listOf(userName, 1000)
const levels = choice(level.values ?? [])
const MEMBER = 'developer'

interface PlaceToRead {
  path: Path
  issues: Issue[]
}

function readMembers(value: unknown, { path, issues }: PlaceToRead): Record<string, string> {
  if (Array.isArray(value) && value.length === 0) return {}
  if (isMap(value))
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [name, levels.read(each, [...path, name], issues) ?? MEMBER]),
    )
  return Object.fromEntries((people.read(value, path, issues) ?? []).map((name) => [name, MEMBER]))
}

function entriesIn(value: unknown, expected: string, { path, issues }: PlaceToRead): [string, unknown][] {
  if (isMap(value)) return Object.entries(value)
  return refuse(issues, { path, expected }) ?? []
}

function readGroups(groups: unknown, { path, issues }: PlaceToRead): TestedService {
  const all = entriesIn(groups, 'a mapping of groups to lists of their members', { path, issues })
  const read = all.flatMap(([name, members]) => {
    const group = groupPath.read(name, [...path, name], issues)
    return group === undefined ? [] : [[group, readMembers(members, { path: [...path, name], issues })] as const]
  })
  return { groups: Object.fromEntries(read) }
}

function readOpenReviews(value: unknown, { path, issues }: PlaceToRead): TestedService {
  const counts = Object.entries(isMap(value) ? value : {})
  if (!isMap(value) || counts.some(([, count]) => !Number.isInteger(count) || Number(count) < 0))
    refuse(issues, { path, expected: 'a mapping of user names to numbers of open reviews' })
  return { openReviews: Object.fromEntries(counts.map(([name, count]) => [name, Number(count)])) }
}

function readLabelledBy(value: unknown, { path, issues }: PlaceToRead): TestedService {
  const said = entriesIn(value, 'a mapping of labels to user names', { path, issues }).flatMap(([label, user]) => {
    const name = userName.read(user, [...path, label], issues)
    return name === undefined ? [] : [[label, name] as const]
  })
  return { labelledBy: Object.fromEntries(said) }
}

const readers: Record<string, (value: unknown, given: PlaceToRead) => TestedService> = {
  groups: readGroups,
  code_owners(value, { path, issues }) {
    const codeOwners = text(LONGEST_CODE_OWNERS, 'the text of CODEOWNERS').read(value, path, issues)
    return codeOwners === undefined ? {} : { codeOwners }
  },
  busy(value, { path, issues }) {
    return { busy: Array.isArray(value) && value.length === 0 ? [] : (people.read(value, path, issues) ?? []) }
  },
  open_reviews: readOpenReviews,
  labelled_by: readLabelledBy,
}

export const serviceKeys = Object.keys(readers)

/** What the state says about the service; undefined if it says nothing. */
export function readService(value: Record<string, unknown>, path: Path, issues: Issue[]): TestedService | undefined {
  const said = Object.entries(readers).filter(([key]) => Object.hasOwn(value, key))
  if (said.length === 0) return undefined
  return Object.assign({}, ...said.map(([key, read]) => read(value[key], { path: [...path, key], issues })))
}

const none: SourceAnswer = { ok: false, status: 404, reason: 'a rule test does not say it' }

/** An id that depends only on the name, so that a member and the user of that name are the same. */
export function idOf(name: string): number {
  let id = 0
  for (const character of name.toLowerCase()) id = (id * 31 + (character.codePointAt(0) ?? 0)) % 1_000_003
  return 1000 + id
}

const labelEventsOf = (labelledBy: Record<string, string>) =>
  Object.entries(labelledBy).map(([label, username]) => ({
    action: 'add',
    label: { name: label },
    user: { id: idOf(username), username },
  }))

const membersGiven = (levels: Record<string, string> = {}) =>
  Object.entries(levels).map(([username, access]) => ({
    id: idOf(username),
    username,
    state: 'active',
    access_level: levelNumber(access) ?? 0,
    expires_at: null,
  }))

/** The answers of the service; what an earlier state said stays. */
export function serviceAnswers(before: SourceAnswers, given: TestedService = {}): SourceAnswers {
  const { groups = {}, codeOwners, busy = [], openReviews = {}, labelledBy } = given
  const named = (source: { name: string }, of: string | number): SourceName => `${source.name}@${of}`
  const kept = Object.entries(before).filter(([name]) => ofService.includes(name.split('@')[0] ?? ''))
  const members = Object.keys(groups).flatMap((group): [string, SourceAnswer][] => {
    const all = Object.keys(groups).filter((each) => each === group || group.startsWith(`${each}/`))
    return [
      [named(sources.groupDirectMembers, group), answer(membersGiven(groups[group]))],
      [named(sources.groupMembers, group), answer(all.flatMap((each) => membersGiven(groups[each])))],
    ]
  })
  const bytes = Array.from(new TextEncoder().encode(codeOwners), (byte) => String.fromCharCode(byte))
  const files = CODE_OWNERS_PATHS.map((path, index): [string, SourceAnswer] => [
    named(sources.codeOwners, path),
    index === 0 && codeOwners !== undefined ? answer({ content: btoa(bytes.join('')) }) : none,
  ])
  return Object.fromEntries([
    ...kept,
    ...members,
    ...(codeOwners === undefined ? [] : files),
    ...(labelledBy === undefined ? [] : [[sources.labelEvents.name, answer(labelEventsOf(labelledBy))]]),
    ...busy.map((name) => [named(sources.userStatus, idOf(name)), answer({ availability: 'busy' })]),
    ...Object.entries(openReviews).map(([name, count]) => [
      named(sources.openReviews, name),
      answer(Array.from({ length: Math.min(count, 100) }, (_, index) => ({ id: index + 1 }))),
    ]),
  ])
}

const ofService = ['groupMembers', 'groupDirectMembers', 'codeOwners', 'userStatus', 'openReviews', 'labelEvents']
