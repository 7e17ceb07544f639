// The members of a group, and the people of a fact among them. What the service does not list is unknown.

import { levelNumber } from '../../language/operators/fact-types.ts'
import type { GroupMembers } from '../../language/operators/operator-shapes.ts'
import type { Json } from '../../language/values/rule-types.ts'
import { isMap } from '../../language/values/shapes.ts'
import { show } from '../../language/values/wording.ts'
import type { FactValue, SourceAnswers, SourceName } from '../../types.ts'
import type { FactView } from './fact.ts'
import { sources } from './sources.ts'

/** The sources that list who is in a group. */
export const MEMBER_LISTS: readonly string[] = [sources.groupMembers.name, sources.groupDirectMembers.name]

export interface GroupMember {
  id: number
  username: string
  level: number
}

export interface MemberList {
  /** Members by user name in lower case; with several memberships the highest level counts. */
  members: ReadonlyMap<string, GroupMember>
  /** False if an entry cannot be read. */
  complete: boolean
}

/**
 * The active members in an answer of the service (GitLab docs: api/group_members). Blocked users, members who wait for
 * activation, and those whose membership has ended are left out.
 */
export function membersIn(listed: unknown, now: string): MemberList {
  const members = new Map<string, GroupMember>()
  let complete = Array.isArray(listed)
  for (const each of Array.isArray(listed) ? (listed as unknown[]) : []) {
    if (!isMap(each) || typeof each.username !== 'string' || typeof each.id !== 'number' || each.state === undefined) {
      complete = false
      continue
    }
    const { id, username, state, membership_state, access_level, expires_at } = each
    const waits = membership_state !== undefined && membership_state !== null && membership_state !== 'active'
    // A membership ends at the start of its last day.
    const hasEnded = typeof expires_at === 'string' && expires_at <= now.slice(0, 10)
    if (state !== 'active' || waits || hasEnded) continue
    const member = { id, username, level: Number.isSafeInteger(access_level) ? Number(access_level) : 0 }
    const before = members.get(username.toLowerCase())
    if (before === undefined || before.level < member.level) members.set(username.toLowerCase(), member)
  }
  return { members, complete }
}

/** Whether the member has the level that counts. */
export function hasLevel({ level }: GroupMember, { access }: GroupMembers): boolean {
  return access === undefined || level >= (levelNumber(access) ?? Number.POSITIVE_INFINITY)
}

/** The group whose members an answer of this name lists. */
export function groupOfAnswer(name: SourceName): string | undefined {
  const [source, group] = name.split('@')
  return source !== undefined && MEMBER_LISTS.includes(source) ? group : undefined
}

/** The name of the answer that says who may see the group. */
export const groupAnswer = (group: string): SourceName => `${sources.group.name}@${group}`

/** Whether public text may tell who is in the group. Fails closed: a group that was not read is hidden. */
export function isPublicGroup(group: string, answers: SourceAnswers): boolean {
  const answer = answers[groupAnswer(group)]
  return answer?.ok === true && isMap(answer.body) && answer.body.visibility === 'public'
}

/** Whether the group is the project's own top-level group, or in it: others may hide their members from the project. */
export function isOwnGroup(group: string, projectPath: unknown): boolean {
  const top = (path: string) => path.toLowerCase().split('/')[0]
  return typeof projectPath === 'string' && projectPath.includes('/') && top(group) === top(projectPath)
}

/** Why a rule of the repository cannot use another group. */
export const foreignGroup = (group: string) =>
  `${group} is not in the project’s own top-level group: the operator’s policy allows others with groups: any`

/** Why the members of a group are unknown. */
export function unreadGroup(group: string, { reason, status }: { reason: string; status?: number }): string {
  return status === 404 || status === 403
    ? `the group ${group} does not exist, or Bellhop cannot see it`
    : `the members of ${group} cannot be read: ${reason}`
}

/** `except`: the user who does not count. `anyGroup`: all groups may be used, not only the project’s own. */
interface GroupView extends Pick<FactView, 'now' | 'source'> {
  except: string | undefined
  anyGroup: boolean
}

/** The value of a fact of people, reduced to those that are members of the group. */
export function membersAmong(
  value: FactValue,
  group: GroupMembers,
  { except, anyGroup, now, source }: GroupView,
): FactValue {
  if (value.is !== 'known') return value
  const people = peopleIn(value.value).filter((name) => name.toLowerCase() !== except?.toLowerCase())
  // Without people, the group need not be read.
  if (people.length === 0) return { ...value, value: [] }
  if (!anyGroup) {
    const project = source(sources.project)
    if (project.is !== 'read') return project
    if (!isOwnGroup(group.group, project.body.path_with_namespace))
      return { is: 'absent', reason: foreignGroup(group.group) }
  }
  const reading = source(sources.groupMembers, group.group)
  if (reading.is === 'absent') return { is: 'absent', reason: unreadGroup(group.group, reading) }
  const { members, complete } = membersIn(reading.body, now)
  const found = people.filter((name) => {
    const member = members.get(name.toLowerCase())
    return member !== undefined && hasLevel(member, group)
  })
  const isCertain = (reading.complete && complete) || people.every((name) => members.has(name.toLowerCase()))
  return {
    is: 'known',
    value: found,
    complete: value.complete && isCertain,
    remark: found.length === people.length ? value.remark : `of ${show([...people])}`,
    missing: isCertain ? value.missing : `${group.group} has more members than are read`,
  }
}

function peopleIn(value: Json): string[] {
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string')
}
