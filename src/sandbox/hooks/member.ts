// Member payloads, for the hooks of groups alone: flat, without object_kind and project (hosting-service.md §1.3).
import { levelNames } from '../access/members.ts'
import type { Member } from '../records/records.ts'
import { now, userById, type World } from '../storage/world.ts'

type MemberEvent = 'user_add_to_group' | 'user_update_for_group' | 'user_remove_from_group'

/** Nothing for a member of a project. */
export function sendMember(world: World, member: Member, event_name: MemberEvent): void {
  const group = member.source === 'group' ? world.groups.get(member.source_id) : undefined
  if (group === undefined) return
  const user = userById(world, member.user_id)
  const time = now(world).replace(/\.\d+Z$/, 'Z')
  world.send({
    groupId: group.id,
    flag: 'member_events',
    name: 'Member Hook',
    payload: {
      ...{ created_at: time, updated_at: time },
      ...{ group_name: group.name, group_path: group.path, group_id: group.id },
      ...{ user_username: user.username, user_name: user.name, user_email: user.email, user_id: user.id },
      group_access: levelNames[member.access_level],
      group_plan: null,
      expires_at: member.expires_at === null ? null : `${member.expires_at}T00:00:00Z`,
      event_name,
    },
  })
}
