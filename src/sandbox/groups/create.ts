// Making a group or a subgroup (api-v4.md §4.1, §5).
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { findGroup, groupLevel, maintainer, owner } from '../access.ts'
import { addMember, groupPlace } from '../members.ts'
import { checkPath, isPathTaken, lineage, namesIn } from '../namespaces.ts'
import type { Group, User } from '../records.ts'
import { forbidden, invalid } from '../refusal.ts'
import { checkGroupVisibility } from '../visibility.ts'
import { nextNumber, now, type World } from '../world.ts'

/** How deep groups may lie in each other, as on real installations. */
const deepest = 20

/** Needs the user's right to create groups, and for a subgroup Maintainer of the parent as well. The caller becomes its owner. */
export function createGroup(world: World, caller: User, given: CheckedParams<Api['groups']['create']>): Group {
  const parent = given.parent_id === undefined ? undefined : findGroup(world, caller, given.parent_id)
  if (!caller.can_create_group && !caller.is_admin) throw forbidden()
  if (parent !== undefined && groupLevel(world, caller, parent) < maintainer) throw forbidden()
  if (given.shared_runners_minutes_limit !== undefined && !caller.is_admin) throw forbidden()
  checkPath('path', given.path)
  const visibility = given.visibility ?? 'private'
  checkGroupVisibility(parent, visibility)
  if (parent !== undefined && lineage(world, parent).length >= deepest) throw invalid('parent_id', 'has too deep level of nesting')
  const names = namesIn(parent, given)
  if (isPathTaken(world, names.full_path)) throw invalid('path', 'has already been taken')
  const group = world.groups.add({
    id: nextNumber(world, 'namespaces'),
    name: given.name,
    path: given.path,
    ...names,
    description: given.description ?? '',
    visibility,
    lfs_enabled: given.lfs_enabled ?? true,
    request_access_enabled: given.request_access_enabled ?? true,
    parent_id: parent?.id ?? null,
    membership_lock: false,
    share_with_group_lock: false,
    shared_runners_minutes_limit: given.shared_runners_minutes_limit ?? null,
    custom_attributes: {},
    created_at: now(world),
  })
  addMember(world, groupPlace(world, group), { user_id: caller.id, access_level: owner, expires_at: null })
  return group
}
