// Members of projects and groups: a separate interface (api-v4.md §4.1), in the shapes of real installations.
import type { Api } from '../../api/index.ts'
import { findGroup, findProject, groupLevel, maintainer, owner, projectLevel } from '../access.ts'
import { checkExpiry } from '../expiry.ts'
import { type Handlers, type Page, pageOf } from '../handler.ts'
import {
  addMember,
  changeMember,
  directMembers,
  findMember,
  groupPlace,
  type Membership,
  membersOfGroup,
  membersOfProject,
  type Place,
  projectPlace,
  removeMember,
} from '../members.ts'
import { lineage } from '../namespaces.ts'
import type { User } from '../records.ts'
import { forbidden, notFound, refuse } from '../refusal.ts'
import { showMember } from '../show.ts'
import { userById, type World } from '../world.ts'

type Id = number | string

/** What differs between projects and groups. */
interface Kind {
  find(world: World, caller: User, id: Id): Place & { all(): Membership[]; level: number }
  /** The level that changes members. */
  needed: number
  /** Refuses a new member where there is to be none. */
  admit?(world: World, place: Place): void
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
    if (locked) throw refuse(403, '403 Forbidden - The group takes no new members in its projects: membership_lock is on')
  },
})

export const groupMembers: Handlers<Api['groups']['members']> = membersOf({
  find(world, caller, id) {
    const group = findGroup(world, caller, id)
    return { ...groupPlace(world, group), all: () => membersOfGroup(world, group), level: groupLevel(world, caller, group) }
  },
  needed: owner,
})

function membersOf(kind: Kind): Handlers<Api['groups']['members']> & Handlers<Api['projects']['members']> {
  /** The place and the member, where the caller may change members at all and is not below this one. */
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
      if (world.users.get(user_id) === undefined) throw notFound('User')
      return showMember(world, addMember(world, place, { user_id, access_level, expires_at: checkExpiry(params.expires_at) }))
    },

    update({ params, caller, world }) {
      const { place, member } = findChangeable(world, caller, params)
      if (place.level < kind.needed || params.access_level > place.level) throw forbidden()
      const expires_at = params.expires_at === undefined ? member.expires_at : checkExpiry(params.expires_at)
      return showMember(world, changeMember(world, place, member, { access_level: params.access_level, expires_at }))
    },

    /** Whoever is a member may leave. */
    remove({ params, caller, world }) {
      const { place, member } = findChangeable(world, caller, params)
      removeMember(world, place, member)
      return null
    },
  }
}

function pageOfMembers(
  world: World,
  members: readonly Membership[],
  params: { query?: string | undefined; page: number; per_page: number },
): Promise<Page<ReturnType<typeof showMember>[]>> {
  const wanted = params.query?.toLowerCase() ?? ''
  const found = members.filter(({ user_id }) => {
    const { name, username } = userById(world, user_id)
    return name.toLowerCase().includes(wanted) || username.toLowerCase().includes(wanted)
  })
  return pageOf(found, params, (member) => showMember(world, member))
}
