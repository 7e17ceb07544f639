// Members of projects and groups, in GitLab's shapes.
import type { Api } from '../../api/index.ts'
import { findGroup, findProject, groupLevel, maintainer, owner, projectLevel } from '../access/access.ts'
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
import { forbidden, notFound, refuse } from '../http/error-response.ts'
import { type Handlers, pageOf, type RecordPage } from '../http/handler.ts'
import type { User } from '../records/records.ts'
import { matchesUser, showMember } from '../records/show-records.ts'
import { userById, type World } from '../storage/world.ts'
import { findUser } from './users.ts'

type Id = number | string

interface Kind {
  find(world: World, caller: User, id: Id): MemberPlace & { all(): Membership[]; level: number }
  /** The level that changes members. */
  needed: number
  admit?(world: World, place: MemberPlace): void
}

export const projectMembers: Handlers<Api['projects']['members']> = membersOf({
  find(world, caller, id) {
    const project = findProject(world, caller, id)
    const level = projectLevel(world, caller, project)
    return { ...projectPlace(world, project), all: () => membersOfProject(world, project), level }
  },
  needed: maintainer,
  admit(world, { above }) {
    const locked = above !== undefined && lineage(world, above).some((group) => group.membership_lock)
    if (locked)
      throw refuse(403, '403 Forbidden - The group takes no new members in its projects: membership_lock is on')
  },
})

export const groupMembers: Handlers<Api['groups']['members']> = membersOf({
  find(world, caller, id) {
    const group = findGroup(world, caller, id)
    return {
      ...groupPlace(group),
      all: () => membersOfGroup(world, group),
      level: groupLevel(world, caller, group),
    }
  },
  needed: owner,
})

function membersOf(kind: Kind): Handlers<Api['groups']['members']> & Handlers<Api['projects']['members']> {
  /** Throws 403 for callers below the needed level or below the member's; members may always leave. */
  function findChangeable(world: World, caller: User, { id, user_id }: { id: Id; user_id: number }) {
    const place = kind.find(world, caller, id)
    const leaves = user_id === caller.id
    if (place.level < kind.needed && !leaves) throw forbidden()
    const member = findMember(world, place, user_id)
    if (member.access_level > place.level && !leaves) throw forbidden()
    return { place, member }
  }

  return {
    list({ params, caller, world }) {
      const place = kind.find(world, caller, params.id)
      return pageOfMembers(world, directMembers(world, place), params)
    },

    listAll: ({ params, caller, world }) => pageOfMembers(world, kind.find(world, caller, params.id).all(), params),

    getDirect({ params, caller, world }) {
      const place = kind.find(world, caller, params.id)
      return showMember(world, findMember(world, place, params.user_id))
    },

    get({ params, caller, world }) {
      const found = kind
        .find(world, caller, params.id)
        .all()
        .find((each) => each.user_id === params.user_id)
      if (found === undefined) throw notFound()
      return showMember(world, found)
    },

    add({ params, caller, world }) {
      const place = kind.find(world, caller, params.id)
      if (place.level < kind.needed || params.access_level > place.level) throw forbidden()
      kind.admit?.(world, place)
      const { user_id, access_level } = params
      findUser(world, user_id)
      const expires_at = checkExpiry(params.expires_at)
      return showMember(world, addMember(world, place, { user_id, access_level, expires_at }))
    },

    update({ params, caller, world }) {
      const { place, member } = findChangeable(world, caller, params)
      if (place.level < kind.needed || params.access_level > place.level) throw forbidden()
      const expires_at = params.expires_at === undefined ? member.expires_at : checkExpiry(params.expires_at)
      return showMember(world, world.members.update(member.id, { access_level: params.access_level, expires_at }))
    },

    remove({ params, caller, world }) {
      world.members.remove(findChangeable(world, caller, params).member.id)
      return null
    },
  }
}

function pageOfMembers(
  world: World,
  members: readonly Membership[],
  params: { query?: string; page: number; per_page: number },
): Promise<RecordPage<ReturnType<typeof showMember>[]>> {
  const found = members.filter(({ user_id }) => matchesUser(userById(world, user_id), params.query))
  return pageOf(found, params, (member) => showMember(world, member))
}
