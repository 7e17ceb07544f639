// Members of groups and projects.
import { orNotFound, refuse } from '../http/error-response.ts'
import type { AccessLevel, Group, Member, Project } from '../records/records.ts'
import { nextNumber, type World } from '../storage/world.ts'
import { owner, sharesOf } from './access.ts'
import { hasEnded } from './expiry.ts'
import { lineage } from './namespaces.ts'

export type Membership = Pick<Member, 'user_id' | 'access_level' | 'expires_at'>

/** A group or project with members. */
export interface MemberPlace extends Pick<Member, 'source' | 'source_id'> {
  /** The group that a project is in: its members are members here too. */
  above?: Group | undefined
}

export function groupPlace(group: Group): MemberPlace {
  return { source: 'group', source_id: group.id }
}

export function projectPlace(world: World, project: Project): MemberPlace {
  return { source: 'project', source_id: project.id, above: world.groups.get(project.namespace_id) }
}

/** The members whose membership has not ended. */
export function directMembers(world: World, { source, source_id }: Pick<Member, 'source' | 'source_id'>): Member[] {
  return world.members.where('source', `${source}:${source_id}`).filter((member) => !hasEnded(member))
}

/** Members of a group and of those above it, once each with the highest level, in order of id. */
export function membersOfGroup(world: World, group: Group | undefined): Membership[] {
  return highest(lineage(world, group).flatMap((each) => directMembers(world, groupPlace(each))))
}

/** Members of the project, its groups and its shares, and the owner of its namespace. */
export function membersOfProject(world: World, project: Project): Membership[] {
  const shared = sharesOf(world, project).flatMap((link) =>
    membersOfGroup(world, world.groups.get(link.group_id)).map((member) => throughShare(member, link)),
  )
  const owners = world.users.where('namespace', project.namespace_id).map((user): Membership => {
    return { user_id: user.id, access_level: owner, expires_at: null }
  })
  return highest([
    ...owners,
    ...directMembers(world, projectPlace(world, project)),
    ...membersOfGroup(world, world.groups.get(project.namespace_id)),
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
  return orNotFound(directMembers(world, place).find((member) => member.user_id === userId))
}

/** Throws 409 for an existing member. */
export function addMember(world: World, place: MemberPlace, membership: Membership): Member {
  const key = `${place.source}:${place.source_id}:${membership.user_id}`
  const present = world.members.first('place', key)
  if (present !== undefined && !hasEnded(present)) throw refuse(409, 'Member already exists')
  if (present !== undefined) world.members.remove(present.id)
  const { source, source_id } = place
  return world.members.add({ id: nextNumber(world, 'members'), source, source_id, ...membership })
}
