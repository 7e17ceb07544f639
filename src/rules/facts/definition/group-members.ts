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
  /** Why others in the list do not count, by user name in lower case. */
  leftOut: ReadonlyMap<string, string>
  /** Why somebody who is not listed may be a member all the same; absent if nobody may. */
  unread?: string
}

/** The list of the members that count. */
export const memberSource = ({ inherited }: GroupMembers) =>
  inherited === true ? sources.groupMembers : sources.groupDirectMembers

/** The active members in an answer of the service (GitLab docs: api/group_members). */
export function membersIn({ body, complete }: { body: unknown; complete: boolean }, now: string): MemberList {
  const members = new Map<string, GroupMember>()
  const leftOut = new Map<string, string>()
  let unread = complete ? undefined : 'has more members than are read'
  for (const each of Array.isArray(body) ? (body as unknown[]) : [undefined]) {
    if (!isMap(each) || typeof each.username !== 'string' || typeof each.id !== 'number' || each.state === undefined) {
      unread = 'has members that cannot be read'
      continue
    }
    const { id, username, state, membership_state, access_level, expires_at } = each
    const name = username.toLowerCase()
    const waits = membership_state !== undefined && membership_state !== null && membership_state !== 'active'
    if (state !== 'active') leftOut.set(name, 'blocked or deactivated')
    else if (waits) leftOut.set(name, 'waits for activation')
    // A membership ends at the start of its last day.
    else if (typeof expires_at === 'string' && expires_at <= now.slice(0, 10)) leftOut.set(name, 'membership ended')
    else {
      const level = Number.isSafeInteger(access_level) ? Number(access_level) : 0
      if (level >= (members.get(name)?.level ?? 0)) members.set(name, { id, username, level })
    }
  }
  return { members, leftOut, unread }
}

/** Whether the member has the level that counts. */
export function hasLevel({ level }: GroupMember, { access }: Pick<GroupMembers, 'access'>): boolean {
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
  const reading = source(memberSource(group), group.group)
  if (reading.is === 'absent') return { is: 'absent', reason: unreadGroup(group.group, reading) }
  const { members, leftOut, unread } = membersIn(reading, now)
  const found = people.filter((name) => {
    const member = members.get(name.toLowerCase())
    return member !== undefined && hasLevel(member, group)
  })
  const isCertain = unread === undefined || people.every((name) => members.has(name.toLowerCase()))
  const named = people.map((name) => {
    const reason = members.has(name.toLowerCase()) ? undefined : leftOut.get(name.toLowerCase())
    return reason === undefined ? name : `${name} (${reason})`
  })
  return {
    is: 'known',
    value: found,
    complete: value.complete && isCertain,
    remark: found.length === people.length ? value.remark : `of ${show(named)}`,
    missing: isCertain ? value.missing : `${group.group} ${unread}`,
  }
}

function peopleIn(value: Json): string[] {
  return (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string')
}
