// Creates, updates and removes groups, and moves projects into them.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { findGroup, groupLevel, maintainer, owner } from '../access/access.ts'
import { addMember, groupPlace } from '../access/members.ts'
import { checkPath, groupNames, isPathTaken, subtree } from '../access/namespaces.ts'
import { forbidden, invalid } from '../http/error-response.ts'
import { checkAvatar, storeAvatar } from '../projects/files.ts'
import { removeAll, removeProject } from '../projects/remove.ts'
import { defined } from '../records/fields.ts'
import type { Group, Project, User } from '../records/records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'

/** A subgroup also needs Maintainer of the parent. The caller becomes owner. */
export async function createGroup(world: World, caller: User, given: CheckedParams<Api['groups']['create']>) {
  const parent = given.parent_id === undefined ? undefined : findGroup(world, caller, given.parent_id)
  if (!caller.can_create_group && !caller.is_admin) throw forbidden()
  if (parent !== undefined && groupLevel(world, caller, parent) < maintainer) throw forbidden()
  if (given.shared_runners_minutes_limit !== undefined && !caller.is_admin) throw forbidden()
  checkPath('path', given.path)
  if (given.avatar) checkAvatar(given.avatar)
  const names = groupNames(parent, given)
  if (isPathTaken(world, names.full_path)) throw invalid('path', 'has already been taken')
  const id = nextNumber(world, 'namespaces')
  const group = world.groups.add({
    id,
    name: given.name,
    path: given.path,
    ...names,
    description: given.description ?? '',
    visibility: given.visibility ?? 'private',
    lfs_enabled: given.lfs_enabled ?? true,
    request_access_enabled: given.request_access_enabled ?? true,
    parent_id: parent?.id ?? null,
    membership_lock: false,
    share_with_group_lock: false,
    shared_runners_minutes_limit: given.shared_runners_minutes_limit ?? null,
    avatar: (await storeAvatar(world, `group-${id}`, given.avatar)) ?? null,
    created_at: now(world),
  })
  addMember(world, groupPlace(group), { user_id: caller.id, access_level: owner, expires_at: null })
  return group
}

type GroupParams = Omit<CheckedParams<Api['groups']['update']>, 'id'>

/** Only administrators set the quota of minutes. A refusal changes nothing. */
export async function updateGroup(world: World, caller: User, group: Group, given: GroupParams): Promise<Group> {
  if (given.shared_runners_minutes_limit !== undefined && !caller.is_admin) throw forbidden()
  const { avatar, ...fields } = given
  if (avatar) checkAvatar(avatar)
  const after = { ...group, ...defined(fields) }
  if (after.path !== group.path) checkNewPath(world, group, after)
  world.groups.update(group.id, { ...fields, avatar: await storeAvatar(world, `group-${group.id}`, avatar) })
  moveAll(world, group)
  return world.groups.get(group.id) ?? after
}

function checkNewPath(world: World, before: Group, after: Group) {
  checkPath('path', after.path)
  const { full_path } = groupNames(world.groups.get(after.parent_id), after)
  const own = full_path.toLowerCase() === before.full_path.toLowerCase()
  if (!own && isPathTaken(world, full_path)) throw invalid('path', 'has already been taken')
}

function moveAll(world: World, group: Group) {
  for (const { id } of subtree(world, group)) {
    const each = world.groups.get(id)
    if (each === undefined) continue
    const names = groupNames(world.groups.get(each.parent_id), each)
    if (names.full_path === each.full_path && names.full_name === each.full_name) continue
    world.groups.update(id, names)
    for (const project of world.projects.where('namespace', id)) {
      world.projects.update(project.id, { path_with_namespace: `${names.full_path}/${project.path}` })
    }
  }
}

export function transferProject(world: World, project: Project, group: Group): Project {
  if (project.namespace_id === group.id) throw invalid('namespace', 'is the one that the project is in already')
  const path_with_namespace = `${group.full_path}/${project.path}`
  if (isPathTaken(world, path_with_namespace)) throw invalid('path', 'has already been taken')
  const others = world.projects.where('namespace', group.id)
  if (others.some(({ name }) => name === project.name)) throw invalid('name', 'has already been taken')
  return world.projects.update(project.id, {
    namespace_id: group.id,
    path_with_namespace,
    updated_at: now(world),
  })
}

/** Called under the lock of `namespaces`. */
export async function removeGroup(world: World, group: Group, by: User): Promise<void> {
  const groups = subtree(world, group)
  // Read again each time: a fork may be added meanwhile.
  const nextProject = () =>
    groups.map(({ id }) => world.projects.first('namespace', id)).find((project) => project !== undefined)
  for (let project = nextProject(); project !== undefined; project = nextProject())
    await removeProject(world, project, by)
  for (const { id } of groups) {
    removeAll(world.members, world.members.where('source', `group:${id}`))
    for (const name of ['shareLinks', 'groupHooks', 'ldapLinks', 'milestones'] as const)
      removeAll(world[name], world[name].where('group', id))
    world.groups.remove(id)
  }
}
