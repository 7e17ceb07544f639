// Members of groups and projects.
import { badParameter, invalid, notFound, refuse } from '../http/error-response.ts'
import { isPremium } from '../installation.ts'
import type { AccessLevel, Group, Member, Project } from '../records/records.ts'
import { nextNumber, userById, type World } from '../storage/world.ts'
import {
  developer,
  guest,
  inherited,
  maintainer,
  memberLevelInGroup,
  minimal,
  owner,
  planner,
  reporter,
} from './access.ts'
import { hasEnded } from './expiry.ts'
import { lineage } from './namespaces.ts'

export type Membership = Pick<Member, 'user_id' | 'access_level' | 'expires_at'>

/** A group or project with members. */
export interface MemberPlace extends Pick<Member, 'source' | 'source_id'> {
  /** Its members are members here too. */
  above: Group | undefined
}

const levelNames: Record<AccessLevel, string> = {
  [minimal]: 'Minimal Access',
  [guest]: 'Guest',
  [planner]: 'Planner',
  [reporter]: 'Reporter',
  [developer]: 'Developer',
  [maintainer]: 'Maintainer',
  [owner]: 'Owner',
}

export function groupPlace(world: World, group: Group): MemberPlace {
  return {
    source: 'group',
    source_id: group.id,
    above: group.parent_id === null ? undefined : world.groups.get(group.parent_id),
  }
}

export function projectPlace(world: World, project: Project): MemberPlace {
  return { source: 'project', source_id: project.id, above: world.groups.get(project.namespace_id) }
}

/** The members whose membership has not ended. */
export function directMembers(world: World, { source, source_id }: Pick<Member, 'source' | 'source_id'>): Member[] {
  return world.members.where('source', `${source}:${source_id}`).filter((member) => !hasEnded(member))
}

/** Members of a group and of those above it, once each with the highest level, in order of id. */
export function membersOfGroup(world: World, group: Group): Membership[] {
  const members = lineage(world, group).flatMap((each) => {
    const direct = directMembers(world, groupPlace(world, each))
    return each.id === group.id ? direct : direct.filter(isInherited)
  })
  return highest(members)
}

function isInherited({ access_level }: Membership) {
  return inherited(access_level) > 0
}

/** Members of the project, its groups and its shares, and the owner of its namespace. */
export function membersOfProject(world: World, project: Project): Membership[] {
  const { above } = projectPlace(world, project)
  const shared = world.shareLinks.where('project', project.id).flatMap((link) => {
    const group = hasEnded(link) ? undefined : world.groups.get(link.group_id)
    const members = group === undefined ? [] : membersOfGroup(world, group).filter(isInherited)
    return members.map((member) => throughShare(member, link))
  })
  const owners = world.users.where('namespace', project.namespace_id).map((user): Membership => {
    return { user_id: user.id, access_level: owner, expires_at: null }
  })
  return highest([
    ...owners,
    ...directMembers(world, projectPlace(world, project)),
    ...(above === undefined ? [] : membersOfGroup(world, above).filter(isInherited)),
    ...shared,
  ])
}

function throughShare(member: Membership, link: { group_access: AccessLevel; expires_at: string | null }): Membership {
  const [expires_at = null] = [member.expires_at, link.expires_at].filter((date) => date !== null).sort()
  const access_level = Math.min(member.access_level, link.group_access) as AccessLevel
  return { user_id: member.user_id, access_level, expires_at }
}

function highest(memberships: readonly Membership[]): Membership[] {
  const byUser = new Map<number, Membership>()
  for (const membership of memberships) {
    const known = byUser.get(membership.user_id)
    if (known === undefined || known.access_level < membership.access_level) byUser.set(membership.user_id, membership)
  }
  return [...byUser.values()].sort((a, b) => a.user_id - b.user_id)
}

export function findMember(world: World, place: MemberPlace, userId: number): Member {
  const member = world.members.first('place', `${place.source}:${place.source_id}:${userId}`)
  if (member === undefined || hasEnded(member)) throw notFound()
  return member
}

/** Throws 400 for a level that does not exist there: Minimal Access is one of top-level groups with Premium. */
export function refuseUnknownLevel(world: World, level: AccessLevel, place?: MemberPlace): void {
  const isTopGroup = place?.source === 'group' && place.above === undefined
  if (level === minimal && !(isTopGroup && isPremium(world)))
    throw badParameter(`${place === undefined ? 'group_access' : 'access_level'} does not have a valid value`)
}

/** Throws 409 for an existing member, and 400 for a level below the inherited one. */
export function addMember(world: World, place: MemberPlace, membership: Membership): Member {
  const key = `${place.source}:${place.source_id}:${membership.user_id}`
  const present = world.members.first('place', key)
  if (present !== undefined && !hasEnded(present)) throw refuse(409, 'Member already exists')
  checkInherited(world, place, membership)
  if (present !== undefined) world.members.remove(present.id)
  const { source, source_id } = place
  return world.members.add({ id: nextNumber(world, 'members'), source, source_id, ...membership })
}

export function changeMember(
  world: World,
  place: MemberPlace,
  member: Member,
  change: Pick<Member, 'access_level' | 'expires_at'>,
): Member {
  checkInherited(world, place, { ...member, ...change })
  if (change.access_level < owner) refuseLastOwner(world, place, member)
  return world.members.update(member.id, change)
}

export function removeMember(world: World, place: MemberPlace, member: Member): void {
  refuseLastOwner(world, place, member)
  world.members.remove(member.id)
}

function checkInherited(world: World, { above }: MemberPlace, { user_id, access_level }: Membership) {
  if (above === undefined) return
  const level = inherited(memberLevelInGroup(world, userById(world, user_id), above))
  if (level <= access_level) return
  const name = levelNames[level as AccessLevel]
  throw invalid(
    'access_level',
    `should be greater than or equal to ${name} inherited membership from group ${above.name}`,
  )
}

/** A group always has an owner, direct or inherited. */
function refuseLastOwner(world: World, place: MemberPlace, member: Member) {
  const group = place.source === 'group' ? world.groups.get(place.source_id) : undefined
  if (group === undefined || member.access_level < owner) return
  const others = membersOfGroup(world, group).filter(
    (each) => each.access_level === owner && each.user_id !== member.user_id,
  )
  if (others.length === 0)
    throw refuse(403, '403 Forbidden - The last owner of a group can neither leave it nor lose the level')
}
