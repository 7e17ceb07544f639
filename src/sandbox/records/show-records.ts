// Users, groups, hooks and commits as the API shows them.
import type { z } from 'zod'
import type { project as projectSchema } from '../../api/schemas/project.ts'
import type { GitCommit } from '../git/read-commits.ts'
import { userById, type World } from '../storage/world.ts'
import { pick } from './fields.ts'
import { contains } from './filter.ts'
import type { Group, Member, Project, User } from './records.ts'

export function showUserSummary(world: World, user: User) {
  const { id, username, name, state } = user
  return { id, username, name, state, avatar_url: null, web_url: `${world.url}/${username}` }
}

export function showUserById(world: World, id: number) {
  return showUserSummary(world, userById(world, id))
}

/** Whether name or user name contains the text, ignoring case. */
export function matchesUser({ name, username }: User, search = ''): boolean {
  return contains(`${name}\n${username}`, search)
}

/** E-mail and rights are for the user and administrators. */
export function showUser(world: World, user: User, caller: User) {
  const known = { ...showUserSummary(world, user), created_at: user.created_at, bot: user.bot }
  if (!caller.is_admin && caller.id !== user.id) return known
  return { ...known, email: user.email, is_admin: user.is_admin, can_create_group: user.can_create_group }
}

export function showMember(world: World, member: Pick<Member, 'user_id' | 'access_level' | 'expires_at'>) {
  return { ...showUserById(world, member.user_id), ...pick(member, 'access_level', 'expires_at') }
}

/** As the API page shows it. */
export function showGroup(world: World, group: Group) {
  const { membership_lock, share_with_group_lock, shared_runners_minutes_limit, created_at, ...shown } = group
  return { ...shown, avatar_url: null, web_url: `${world.url}/groups/${group.full_path}` }
}

export function showNamespace(
  world: World,
  id: number,
): z.output<typeof projectSchema>['namespace'] & { full_name: string } {
  const group = world.groups.get(id)
  if (group !== undefined) {
    const { name, path, full_path, full_name } = group
    return { id, name, path, kind: 'group', full_path, full_name }
  }
  const user = world.users.where('namespace', id)[0]
  if (user === undefined) throw new Error(`no namespace ${id}`)
  return { id, name: user.name, path: user.username, kind: 'user', full_path: user.username, full_name: user.name }
}

export function showProjectReference(world: World, { id, name, path, path_with_namespace, namespace_id }: Project) {
  const name_with_namespace = `${showNamespace(world, namespace_id).full_name} / ${name}`
  return { id, name, name_with_namespace, path, path_with_namespace }
}

/** As the API page shows it. */
export function showCommit(commit: GitCommit) {
  const { id, title, author_name, author_email, created_at, message, parents } = commit
  return { id, short_id: id.slice(0, 8), title, author_name, author_email, created_at, message, parent_ids: parents }
}
