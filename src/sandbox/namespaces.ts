// Paths of users, groups and projects share one space (api-v4.md §4.1, §4.3).
import { invalid } from './refusal.ts'
import type { State } from './world.ts'

/** First parts of the sandbox's own addresses. */
const reserved = new Set(['api', 'groups', 'users', 'help', 'admin', 'dashboard'])

/** One part of a path: a user name, a group's or a project's path. */
export function checkPath(field: string, path: string): void {
  if (!/^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/.test(path) || /^\.|\.(?:git|atom)?$/i.test(path)) {
    throw invalid(field, "can contain only letters, digits, '_', '-' and '.'. Cannot start with '-' or '.', end in '.', '.git' or '.atom'")
  }
  if (reserved.has(path.toLowerCase())) throw invalid(field, `${path} is a reserved name`)
}

/** Whether a user, a group or a project lives there. */
export function isPathTaken(world: State, fullPath: string): boolean {
  const key = fullPath.toLowerCase()
  return (
    world.users.where('username', key).length > 0 ||
    world.groups.where('path', key).length > 0 ||
    world.projects.where('path', key).length > 0
  )
}

/** `My Project` → `my-project` (api-v4.md §4.3). */
export function pathFromName(name: string): string {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9_.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
}
