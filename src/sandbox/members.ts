// Members of groups and projects.
import type { Member } from './records.ts'
import { refuse } from './refusal.ts'
import { nextNumber, type World } from './world.ts'

/** Adds a member; one who is there already is refused. */
export function addMember(world: World, member: Omit<Member, 'id'>): Member {
  const present = world.members.where('source', `${member.source}:${member.source_id}`)
  if (present.some((each) => each.user_id === member.user_id)) throw refuse(409, 'Member already exists')
  return world.members.add({ id: nextNumber(world, 'members'), ...member })
}
