// Updates a group; a new name or path moves everything in it (api-v4.md §4.1).
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { checkPath, groupNames, isPathTaken, subtree } from '../access/namespaces.ts'
import { checkGroupVisibility, isMoreVisible } from '../access/visibility.ts'
import { forbidden, invalid } from '../http/error-response.ts'
import { defined } from '../records/fields.ts'
import type { Group, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'

type GroupParams = Omit<CheckedParams<Api['groups']['update']>, 'id'>

/** Only administrators set the quota of minutes. A refusal changes nothing. */
export function updateGroup(world: World, caller: User, group: Group, given: GroupParams): Group {
  if (given.shared_runners_minutes_limit !== undefined && !caller.is_admin) throw forbidden()
  const wanted = defined(given)
  const after = { ...group, ...wanted }
  if (after.path !== group.path) checkNewPath(world, group, after)
  if (after.visibility !== group.visibility) checkNewVisibility(world, after)
  world.groups.update(group.id, wanted)
  moveAll(world, group)
  return world.groups.get(group.id) ?? after
}

function checkNewPath(world: World, before: Group, after: Group) {
  checkPath('path', after.path)
  const { full_path } = groupNames(parentOf(world, after), after)
  const own = full_path.toLowerCase() === before.full_path.toLowerCase()
  if (!own && isPathTaken(world, full_path)) throw invalid('path', 'has already been taken')
}

function checkNewVisibility(world: World, group: Group) {
  checkGroupVisibility(parentOf(world, group), group.visibility)
  const holdsMore = (inside: readonly Pick<Group, 'visibility'>[]) =>
    inside.some((each) => isMoreVisible(each.visibility, group.visibility))
  const refusal = (what: string) =>
    invalid('visibility_level', `${group.visibility} is not allowed since ${what} with higher visibility.`)
  if (holdsMore(world.projects.where('namespace', group.id))) throw refusal('this group contains projects')
  if (holdsMore(world.groups.where('parent', group.id))) throw refusal('there are sub-groups')
}

function moveAll(world: World, group: Group) {
  for (const { id } of subtree(world, group)) {
    const each = world.groups.get(id)
    if (each === undefined) continue
    const names = groupNames(parentOf(world, each), each)
    if (names.full_path === each.full_path && names.full_name === each.full_name) continue
    world.groups.update(id, names)
    for (const project of world.projects.where('namespace', id)) {
      world.projects.update(project.id, { path_with_namespace: `${names.full_path}/${project.path}` })
    }
  }
}

function parentOf(world: World, { parent_id }: Group): Group | undefined {
  return parent_id === null ? undefined : world.groups.get(parent_id)
}
