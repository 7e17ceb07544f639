// Who may see and do what (api-v4.md §5): levels of members, inherited from groups; administrators own everything.
import type { Group, Project, User } from './records.ts'
import { forbidden, notFound } from './refusal.ts'
import type { State } from './world.ts'

const guest = 10
export const reporter = 20
export const developer = 30
export const maintainer = 40
export const owner = 50

/** The level as a member of exactly this group or project; 0 for none. */
export function memberLevel(world: State, source: 'group' | 'project', id: number, user: User): number {
  return Math.max(
    0,
    ...world.members
      .where('source', `${source}:${id}`)
      .filter((member) => member.user_id === user.id)
      .map((member) => member.access_level),
  )
}

/** The level in a group, inherited from its parents included; 0 for none. */
export function groupLevel(world: State, user: User | null, group: Group): number {
  if (user === null) return 0
  if (user.is_admin) return owner
  const parent = group.parent_id === null ? undefined : world.groups.get(group.parent_id)
  return Math.max(memberLevel(world, 'group', group.id, user), parent === undefined ? 0 : groupLevel(world, user, parent))
}

/** The level of a user in a project as a member of it or of a group above it; 0 for none. */
export function memberLevelIn(world: State, user: User, project: Project): number {
  if (project.namespace_id === user.namespace_id) return owner
  const group = world.groups.get(project.namespace_id)
  const inherited = group === undefined ? 0 : groupLevel(world, { ...user, is_admin: false }, group)
  return Math.max(memberLevel(world, 'project', project.id, user), inherited)
}

/** What a user may do in a project; 0 for someone who is no member. */
export function projectLevel(world: State, user: User | null, project: Project): number {
  if (user === null) return 0
  return user.is_admin ? owner : memberLevelIn(world, user, project)
}

export function canSeeProject(world: State, user: User | null, project: Project): boolean {
  if (project.visibility === 'public') return true
  if (project.visibility === 'internal' && user !== null) return true
  return projectLevel(world, user, project) >= guest
}

/** Guests of a private project see that it exists, but not its code and merge requests. */
export function canReadCode(world: State, user: User | null, project: Project): boolean {
  if (!canSeeProject(world, user, project)) return false
  return project.visibility !== 'private' || projectLevel(world, user, project) >= reporter
}

export function canSeeGroup(world: State, user: User | null, group: Group): boolean {
  if (group.visibility === 'public') return true
  if (user === null) return false
  if (group.visibility === 'internal' || groupLevel(world, user, group) >= guest) return true
  const below = `${group.full_path.toLowerCase()}/`
  return world.members.where('user', user.id).some((member) => {
    const path =
      member.source === 'project'
        ? world.projects.get(member.source_id)?.path_with_namespace
        : world.groups.get(member.source_id)?.full_path
    return path?.toLowerCase().startsWith(below) ?? false
  })
}

/** Digits alone are an id, never a path. */
function isNumber(id: number | string): boolean {
  return /^\d+$/.test(String(id))
}

/** The project behind `:id`, or 404 as well for what the caller may not see. */
export function findProject(world: State, caller: User | null, id: number | string): Project {
  const project = isNumber(id) ? world.projects.get(Number(id)) : world.projects.where('path', String(id).toLowerCase())[0]
  if (project === undefined || !canSeeProject(world, caller, project)) throw notFound('Project')
  return project
}

/** As findProject, and the caller has at least this level: 403 otherwise. */
export function findProjectFor(world: State, caller: User, id: number | string, level: number): Project {
  const project = findProject(world, caller, id)
  if (projectLevel(world, caller, project) < level) throw forbidden()
  return project
}

/** As findProject, and the caller may read its code. */
export function findReadableProject(world: State, caller: User | null, id: number | string): Project {
  const project = findProject(world, caller, id)
  if (!canReadCode(world, caller, project)) throw forbidden()
  return project
}

/** The group behind `:id`, or 404 as well for what the caller may not see. */
export function findGroup(world: State, caller: User | null, id: number | string): Group {
  const group = isNumber(id) ? world.groups.get(Number(id)) : world.groups.where('path', String(id).toLowerCase())[0]
  if (group === undefined || !canSeeGroup(world, caller, group)) throw notFound('Group')
  return group
}
