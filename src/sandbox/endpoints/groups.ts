// Groups (api-v4.md §4.1).
import type { Api } from '../../api/index.ts'
import { canSeeGroup, findGroup, groupLevel, maintainer, owner } from '../access.ts'
import { type Handlers, pageOf } from '../handler.ts'
import { addMember, groupPlace } from '../members.ts'
import { checkPath, isPathTaken } from '../namespaces.ts'
import { forbidden, invalid } from '../refusal.ts'
import { showGroup } from '../show.ts'
import { nextNumber, now } from '../world.ts'
import { groupMembers } from './members.ts'
import { unserved } from './unserved.ts'

export const groups: Handlers<Api['groups']> = {
  list({ params, caller, world }) {
    const wanted = params.search?.toLowerCase() ?? ''
    const direction = params.sort === 'asc' ? 1 : -1
    const found = world.groups
      .all()
      .filter((group) => canSeeGroup(world, caller, group))
      .filter((group) => group.name.toLowerCase().includes(wanted) || group.path.toLowerCase().includes(wanted))
      .sort((a, b) => direction * (a[params.order_by].localeCompare(b[params.order_by]) || a.id - b.id))
    return pageOf(found, params, (group) => showGroup(world, group))
  },

  get: ({ params, caller, world }) => ({
    ...showGroup(world, findGroup(world, caller, params.id)),
    projects: [],
    shared_projects: [],
    shared_runners_minutes_limit: 0,
  }),

  create({ params, caller, world }) {
    const parent = params.parent_id === undefined ? null : findGroup(world, caller, params.parent_id)
    if (parent === null && !caller.can_create_group && !caller.is_admin) throw forbidden()
    if (parent !== null && groupLevel(world, caller, parent) < maintainer) throw forbidden()
    checkPath('path', params.path)
    const full_path = parent === null ? params.path : `${parent.full_path}/${params.path}`
    if (isPathTaken(world, full_path)) throw invalid('path', 'has already been taken')
    const group = world.groups.add({
      id: nextNumber(world, 'namespaces'),
      name: params.name,
      path: params.path,
      full_path,
      full_name: parent === null ? params.name : `${parent.full_name} / ${params.name}`,
      description: params.description ?? '',
      visibility: params.visibility ?? 'private',
      lfs_enabled: params.lfs_enabled ?? true,
      request_access_enabled: params.request_access_enabled ?? true,
      parent_id: parent?.id ?? null,
      membership_lock: false,
      share_with_group_lock: false,
      shared_runners_minutes_limit: params.shared_runners_minutes_limit ?? null,
      custom_attributes: {},
      created_at: now(world),
    })
    addMember(world, groupPlace(world, group), { user_id: caller.id, access_level: owner, expires_at: null })
    return showGroup(world, group)
  },

  subgroups: unserved,
  projects: unserved,
  transferProject: unserved,
  update: unserved,
  delete: unserved,
  ldapSync: unserved,
  ldapLinks: { create: unserved, delete: unserved, deleteOfProvider: unserved },
  members: groupMembers,
  setCustomAttribute: unserved,
}
