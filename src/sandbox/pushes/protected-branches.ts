// Who may push to and merge into protected branches; other branches are open to developers.
import { RE2JS } from 're2js'
import { developer, guest, maintainer, memberLevelInGroup, projectLevel } from '../access/access.ts'
import { isAncestor } from '../git/read-commits.ts'
import { branchOf, noCommit } from '../git/refs.ts'
import { refuse } from '../http/error-response.ts'
import type { Project, ProtectedBranch, ProtectionAccess, User } from '../records/records.ts'
import type { World } from '../storage/world.ts'
import type { Quarantine, RefMove } from './check-push.ts'

const nobody = 0
const administrator = 60

/** What protects a branch: its own name, and patterns that match it. */
export function protectionsOf(world: World, project: Project, branch: string): ProtectedBranch[] {
  return world.protectedBranches.where('project', project.id).filter(({ name }) => matchesBranch(name, branch))
}

/** `*` stands for any text, slashes too. */
export function matchesBranch(pattern: string, branch: string): boolean {
  return RE2JS.compile(pattern.split('*').map(RE2JS.quote).join('.*'), RE2JS.DOTALL).matches(branch)
}

/** If several protections match, the most permissive one counts. */
export function mayPushTo(world: World, project: Project, user: User, branch: string): boolean {
  return passes(world, project, user, branch, (each) => accessOf(each, 'push'))
}

/** Who may push may merge as well. */
export function mayMergeInto(world: World, project: Project, user: User, branch: string): boolean {
  return passes(world, project, user, branch, (each) => [...accessOf(each, 'push'), ...accessOf(each, 'merge')])
}

/** The level has the number of the protection. */
export function accessOf(protection: ProtectedBranch, right: 'push' | 'merge'): ProtectionAccess[] {
  const access_level = protection[`${right}_access_level`] ?? null
  const level = access_level === null ? [] : [{ id: protection.id, access_level, user_id: null, group_id: null }]
  return [...level, ...(protection[`allowed_to_${right}`] ?? [])]
}

export function isForDevelopers(protection: ProtectedBranch, right: 'push' | 'merge'): boolean {
  return accessOf(protection, right).some(({ access_level }) => access_level === developer)
}

function passes(
  world: World,
  project: Project,
  user: User,
  branch: string,
  accessIn: (protection: ProtectedBranch) => ProtectionAccess[],
) {
  const protections = protectionsOf(world, project, branch)
  if (protections.length === 0) return projectLevel(world, user, project) >= developer
  return isAmong(world, project, user, protections.flatMap(accessIn))
}

function isAmong(world: World, project: Project, user: User, access: readonly ProtectionAccess[]) {
  const level = projectLevel(world, user, project)
  return access.some(({ access_level, user_id, group_id }) => {
    if (access_level === nobody) return false
    if (access_level === administrator) return user.is_admin
    if (access_level !== null) return level >= access_level
    const isInGroup = memberLevelInGroup(world, user, world.groups.get(group_id)) >= guest
    return level >= developer && (user_id === user.id || isInGroup)
  })
}

/** Throws 403 for a commit, and for a new branch, of the API. */
export function refuseProtected(world: World, project: Project, user: User, branch: string): void {
  if (!mayPushTo(world, project, user, branch))
    throw refuse(403, '403 Forbidden - You are not allowed to push into this branch')
}

/** Throws 403; maintainers may delete protected branches through the API, as in GitLab. */
export function refuseProtectedDeletion(world: World, project: Project, user: User, branch: string): void {
  const isProtected = protectionsOf(world, project, branch).length > 0
  if (isProtected && projectLevel(world, user, project) < maintainer)
    throw refuse(403, '403 Forbidden - You are not allowed to delete this protected branch')
}

/** What a git push may not do to protected branches. */
export async function checkProtected(
  world: World,
  project: Project,
  user: User,
  moves: readonly RefMove[],
  quarantine: Quarantine,
): Promise<{ text: string }[]> {
  const complaints: { text: string }[] = []
  for (const { ref, before, after } of moves) {
    const branch = branchOf(ref)
    const protections = branch === undefined ? [] : protectionsOf(world, project, branch)
    if (branch === undefined || protections.length === 0) continue
    if (after === noCommit) complaints.push({ text: 'Protected branches cannot be deleted by a push' })
    else if (!mayPushTo(world, project, user, branch))
      complaints.push({ text: 'You are not allowed to push code to protected branches on this project' })
    else if (
      before !== noCommit &&
      !protections.some((each) => each.allow_force_push) &&
      !(await isAncestor(world, project.id, before, after, quarantine))
    )
      complaints.push({ text: 'You are not allowed to force push code to a protected branch on this project' })
  }
  return complaints
}
