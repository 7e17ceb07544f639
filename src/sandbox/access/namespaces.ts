// Paths of users, groups and projects share one namespace.
import { invalid } from '../http/error-response.ts'
import type { Group } from '../records/records.ts'
import type { State } from '../storage/world.ts'

/** The sandbox's own URL prefixes. */
const reserved = new Set(['api', 'groups', 'users', 'help', 'admin', 'dashboard'])

/** Checks one path segment: a user name, a group path or a project path. */
export function checkPath(field: string, path: string): void {
  if (!/^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/.test(path) || /^\.|\.(?:git|atom)?$/i.test(path)) {
    throw invalid(
      field,
      "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or '.', end in '.', '.git' or '.atom'",
    )
  }
  if (reserved.has(path.toLowerCase())) throw invalid(field, `${path} is a reserved name`)
}

export function isPathTaken(world: State, fullPath: string): boolean {
  const key = fullPath.toLowerCase()
  return (
    world.users.where('username', key).length > 0 ||
    world.groups.where('path', key).length > 0 ||
    world.projects.where('path', key).length > 0
  )
}

/** `My Project` → `my-project`. */
export function pathFromName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
}

/** Full path and name of a group below its parent, or at the top. */
export function groupNames(parent: Group | undefined, { name, path }: Pick<Group, 'name' | 'path'>) {
  if (parent === undefined) return { full_path: path, full_name: name }
  return { full_path: `${parent.full_path}/${path}`, full_name: `${parent.full_name} / ${name}` }
}

/** A group and those above it, innermost first. */
export function lineage(world: State, group: Group | undefined): Group[] {
  return group === undefined ? [] : [group, ...lineage(world, world.groups.get(group.parent_id))]
}

/** A group and all below it, parents first. */
export function subtree(world: State, group: Group): Group[] {
  const found = [group]
  for (const each of found) found.push(...world.groups.where('parent', each.id))
  return found
}
