// Who may see and do what.
import { forbidden, notFound, refuse } from '../http/error-response.ts'
import type { Asked } from '../http/handler.ts'
import type { Group, Project, ShareLink, User } from '../records/records.ts'
import type { State } from '../storage/world.ts'
import { hasEnded } from './expiry.ts'
import { lineage, subtree } from './namespaces.ts'

export const guest = 10
export const planner = 15
export const reporter = 20
export const developer = 30
export const maintainer = 40
export const owner = 50

/** Level as a direct member; 0 for none or an expired membership. */
export function memberLevel(world: State, source: 'group' | 'project', id: number, user: User): number {
  const member = world.members.first('place', `${source}:${id}:${user.id}`)
  return member === undefined || hasEnded(member) ? 0 : member.access_level
}

/** Level in a group or any group above it; 0 for none. */
export function memberLevelInGroup(world: State, user: User, group: Group | undefined): number {
  return Math.max(0, ...lineage(world, group).map(({ id }) => memberLevel(world, 'group', id, user)))
}

/** What a user may do in a group; 0 for someone who is no member. */
export function groupLevel(world: State, user: User, group: Group): number {
  return user.is_admin ? owner : memberLevelInGroup(world, user, group)
}

/** Level in a project through it, the groups above it and its shares; 0 for none. */
export function memberLevelIn(world: State, user: User, project: Project): number {
  if (project.namespace_id === user.namespace_id) return owner
  const inGroup = (id: number) => memberLevelInGroup(world, user, world.groups.get(id))
  // A share grants the group's members their own level, at most that of the share.
  const shared = sharesOf(world, project).map((link) => Math.min(link.group_access, inGroup(link.group_id)))
  return Math.max(memberLevel(world, 'project', project.id, user), inGroup(project.namespace_id), ...shared)
}

/** The shares of a project that have not ended. */
export function sharesOf(world: State, { id }: Project): ShareLink[] {
  return world.shareLinks.where('project', id).filter((link) => !hasEnded(link))
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

/** Guests of a private project see neither code nor merge requests. */
export function canReadCode(world: State, user: User | null, project: Project): boolean {
  if (!canSeeProject(world, user, project)) return false
  return project.visibility !== 'private' || projectLevel(world, user, project) >= reporter
}

/** Members of anything inside a private group see the group too. */
export function canSeeGroup(world: State, user: User | null, group: Group): boolean {
  if (isOpenTo(user, group)) return true
  return user !== null && takesPartIn(world, user, group)
}

/** Whether a user sees a group without being a member of anything. */
export function isOpenTo(user: User | null, group: Group): boolean {
  if (user === null || group.visibility === 'public') return group.visibility === 'public'
  return group.visibility === 'internal' || user.is_admin
}

/** Whether a user is a member of the group or of anything above or inside it. */
export function takesPartIn(world: State, user: User, group: Group): boolean {
  if (memberLevelInGroup(world, user, group) >= guest) return true
  return subtree(world, group).some(
    ({ id }) =>
      memberLevel(world, 'group', id, user) >= guest ||
      world.projects.where('namespace', id).some((project) => memberLevelIn(world, user, project) >= guest),
  )
}

/** Digits alone are an id, never a path. */
function findNamed<T>(
  records: { get(id: number): T | undefined; where(key: 'path', path: string): readonly T[] },
  id: number | string,
): T | undefined {
  return /^\d+$/.test(String(id)) ? records.get(Number(id)) : records.where('path', String(id).toLowerCase())[0]
}

/** Throws 404 also when the caller may not see the project. */
export function findProject(world: State, caller: User | null, id: number | string): Project {
  const project = findNamed(world.projects, id)
  if (project === undefined || !canSeeProject(world, caller, project)) throw notFound('Project')
  return project
}

/** One of the project's own records; throws 404 for that of another. */
export function findOf<T extends { readonly project_id?: number }>(
  project: Project,
  records: { get(id: number): T | undefined },
  id: number,
): T {
  const record = records.get(id)
  if (record?.project_id !== project.id) throw notFound()
  return record
}

export function refuseArchived(project: Project): void {
  if (project.archived) throw refuse(403, '403 Forbidden - The project is archived: it can be read, but not changed')
}

/** Throws 404 also when the caller may not see the group. */
export function findGroup(world: State, caller: User | null, id: number | string): Group {
  const group = findNamed(world.groups, id)
  if (group === undefined || !canSeeGroup(world, caller, group)) throw notFound('Group')
  return group
}

// What endpoints find for `on` (http/handler.ts). Each throws as findProject or findGroup does.
type OfId<C extends User | null = User> = Asked<{ id: number | string }, C>

export const visibleProject = ({ params, caller, world }: OfId<User | null>) => ({
  project: findProject(world, caller, params.id),
})

/** Throws 403 when the caller may not read the code. */
export const readableProject = (call: OfId<User | null>) => {
  const { project } = visibleProject(call)
  if (!canReadCode(call.world, call.caller, project)) throw forbidden()
  return { project }
}

/** Throws 403 for a caller below this level. */
export const projectFor = (level: number) => (call: OfId) => {
  const { project } = visibleProject(call)
  if (projectLevel(call.world, call.caller, project) < level) throw forbidden()
  return { project }
}

/** As projectFor; throws 403 for an archived project, which can only be read. */
export const projectToChange = (level: number) => (call: OfId) => {
  const { project } = projectFor(level)(call)
  refuseArchived(project)
  return { project }
}

export const visibleGroup = ({ params, caller, world }: OfId<User | null>) => ({
  group: findGroup(world, caller, params.id),
})

/** Throws 403 for a caller below this level. */
export const groupFor = (level: number) => (call: OfId) => {
  const { group } = visibleGroup(call)
  if (groupLevel(call.world, call.caller, group) < level) throw forbidden()
  return { group }
}
