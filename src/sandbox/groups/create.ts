// Creates groups and subgroups (api-v4.md §4.1, §5).
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { findGroup, groupLevel, maintainer, owner } from '../access/access.ts'
import { addMember, groupPlace } from '../access/members.ts'
import { checkPath, groupNames, isPathTaken, lineage } from '../access/namespaces.ts'
import { checkGroupVisibility } from '../access/visibility.ts'
import { forbidden, invalid } from '../http/error-response.ts'
import type { Group, User } from '../records/records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'

/** GitLab's limit of nesting. */
const deepest = 20

/** A subgroup also needs Maintainer of the parent. The caller becomes owner. */
export function createGroup(world: World, caller: User, given: CheckedParams<Api['groups']['create']>): Group {
  const parent = given.parent_id === undefined ? undefined : findGroup(world, caller, given.parent_id)
  if (!caller.can_create_group && !caller.is_admin) throw forbidden()
  if (parent !== undefined && groupLevel(world, caller, parent) < maintainer) throw forbidden()
  if (given.shared_runners_minutes_limit !== undefined && !caller.is_admin) throw forbidden()
  checkPath('path', given.path)
  const visibility = given.visibility ?? 'private'
  checkGroupVisibility(parent, visibility)
  if (parent !== undefined && lineage(world, parent).length >= deepest)
    throw invalid('parent_id', 'has too deep level of nesting')
  const names = groupNames(parent, given)
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
    created_at: now(world),
  })
  addMember(world, groupPlace(world, group), { user_id: caller.id, access_level: owner, expires_at: null })
  return group
}
