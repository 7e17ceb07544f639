// Members of projects and groups, in GitLab's shapes.
import type { Api } from '../../api/index.ts'
import { groupLevel, maintainer, owner, projectLevel, visibleGroup, visibleProject } from '../access/access.ts'
import { checkExpiry } from '../access/expiry.ts'
import {
  addMember,
  directMembers,
  findMember,
  groupPlace,
  type MemberPlace,
  type Membership,
  membersOfGroup,
  membersOfProject,
  projectPlace,
} from '../access/members.ts'
import { lineage } from '../access/namespaces.ts'
import { forbidden, orNotFound, refuse } from '../http/error-response.ts'
import { type Asked, type Handlers, on, pageOf } from '../http/handler.ts'
import { matchesUser, showMember } from '../records/show-records.ts'
import { userById, type World } from '../storage/world.ts'
import { findUser } from './users.ts'

interface Kind {
  find(call: Asked<{ id: number | string }>): MemberPlace & { all(): Membership[]; level: number }
  needed: number
  admit?(world: World, place: MemberPlace): void
}

export const projectMembers: Handlers<Api['projects']['members']> = membersOf({
  find(call) {
    const { project } = visibleProject(call)
    const level = projectLevel(call.world, call.caller, project)
    return { ...projectPlace(call.world, project), all: () => membersOfProject(call.world, project), level }
  },
  needed: maintainer,
  admit(world, { above }) {
    if (lineage(world, above).some((group) => group.membership_lock))
      throw refuse(403, '403 Forbidden - The group takes no new members in its projects: membership_lock is on')
  },
})

export const groupMembers: Handlers<Api['groups']['members']> = membersOf({
  find(call) {
    const { group } = visibleGroup(call)
    const level = groupLevel(call.world, call.caller, group)
    return { ...groupPlace(group), all: () => membersOfGroup(call.world, group), level }
  },
  needed: owner,
})

function membersOf(kind: Kind): Handlers<Api['groups']['members']> & Handlers<Api['projects']['members']> {
  const place = (call: Asked<{ id: number | string }>) => ({ place: kind.find(call) })
  /** Throws 403 for callers below the needed level or below the member's; members may always leave. */
  function changeable(call: Asked<{ id: number | string; user_id: number }>) {
    const place = kind.find(call)
    const { user_id } = call.params
    const leaves = user_id === call.caller.id
    if (place.level < kind.needed && !leaves) throw forbidden()
    const member = findMember(call.world, place, user_id)
    if (member.access_level > place.level && !leaves) throw forbidden()
    return { place, member }
  }

  return {
    list: on(place, ({ place, params, world }) => pageOfMembers(world, directMembers(world, place), params)),
    listAll: on(place, ({ place, params, world }) => pageOfMembers(world, place.all(), params)),
    getDirect: on(place, ({ place, params, world }) => showMember(world, findMember(world, place, params.user_id))),

    get: on(place, ({ place, params, world }) => {
      const found = orNotFound(place.all().find((each) => each.user_id === params.user_id))
      return showMember(world, found)
    }),

    add: on(place, ({ place, params, world }) => {
      if (place.level < kind.needed || params.access_level > place.level) throw forbidden()
      kind.admit?.(world, place)
      const { user_id, access_level } = params
      findUser(world, user_id)
      const expires_at = checkExpiry(params.expires_at)
      return showMember(world, addMember(world, place, { user_id, access_level, expires_at }))
    }),

    update: on(changeable, ({ place, member, params, world }) => {
      if (place.level < kind.needed || params.access_level > place.level) throw forbidden()
      const expires_at = params.expires_at === undefined ? member.expires_at : checkExpiry(params.expires_at)
      return showMember(world, world.members.update(member.id, { access_level: params.access_level, expires_at }))
    }),

    remove: on(changeable, ({ member, world }) => {
      world.members.remove(member.id)
      return null
    }),
  }
}

function pageOfMembers(
  world: World,
  members: readonly Membership[],
  params: { query?: string; page: number; per_page: number },
) {
  const found = members.filter(({ user_id }) => matchesUser(userById(world, user_id), params.query))
  return pageOf(found, params, (member) => showMember(world, member))
}
