// Users, groups, hooks and commits as the API shows them.
import type { z } from 'zod'
import type { namespace } from '../../api/schemas/project.ts'
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
  const { email } = user
  return { ...known, email, commit_email: email, is_admin: user.is_admin, can_create_group: user.can_create_group }
}

export function showMember(world: World, member: Pick<Member, 'user_id' | 'access_level' | 'expires_at'>) {
  return { ...showUserById(world, member.user_id), ...pick(member, 'access_level', 'expires_at') }
}

/** As the API page shows it. */
export function showGroup(world: World, group: Group) {
  const { membership_lock, share_with_group_lock, shared_runners_minutes_limit, created_at, avatar, ...shown } = group
  const avatar_url = avatar === null ? null : `${world.url}/-/group/${group.id}${avatar}`
  return { ...shown, avatar_url, web_url: `${world.url}/groups/${group.full_path}` }
}

export function showNamespace(world: World, id: number): z.output<typeof namespace> & { full_name: string } {
  const group = world.groups.get(id)
  if (group !== undefined) {
    const { name, path, full_path, full_name, parent_id } = group
    const web_url = `${world.url}/groups/${full_path}`
    return { id, name, path, kind: 'group', full_path, full_name, parent_id, web_url, avatar_url: null }
  }
  const user = world.users.where('namespace', id)[0]
  if (user === undefined) throw new Error(`no namespace ${id}`)
  const { name, username: path } = user
  const shown = { id, name, path, kind: 'user', full_path: path, full_name: name } as const
  return { ...shown, parent_id: null, web_url: `${world.url}/${path}`, avatar_url: null }
}

export function showProjectReference(world: World, { id, name, path, path_with_namespace, namespace_id }: Project) {
  const name_with_namespace = `${showNamespace(world, namespace_id).full_name} / ${name}`
  return { id, name, name_with_namespace, path, path_with_namespace }
}

/** As the API page shows it. */
export function showCommit(commit: GitCommit) {
  const { parents, ...shown } = commit
  return { ...shown, short_id: commit.id.slice(0, 8), committed_date: commit.created_at, parent_ids: parents }
}
