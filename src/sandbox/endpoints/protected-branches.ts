// Protected branches of a project, as in GitLab.
import type { z } from 'zod'
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import type { protectedBranch as schema } from '../../api/schemas/repository.ts'
import { findProjectFor, findProjectToChange, maintainer, memberLevelIn } from '../access/access.ts'
import { hasEnded } from '../access/expiry.ts'
import { lineage } from '../access/namespaces.ts'
import { isRefName } from '../git/names.ts'
import { badParameter, forbidden, invalid, notFound, refuse } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { isPremium } from '../installation.ts'
import { accessOf, mayUnprotect } from '../pushes/protected-branches.ts'
import type { Project, ProtectedBranch, ProtectionAccess, ProtectionLevel, User } from '../records/records.ts'
import { nextNumber, type World } from '../storage/world.ts'

const levelNames: Record<ProtectionLevel, string> = {
  0: 'No one',
  30: 'Developers + Maintainers',
  40: 'Maintainers',
  60: 'Administrators',
}

type Right = 'push' | 'merge' | 'unprotect'

export const protectedBranches: Handlers<Api['projects']['protectedBranches']> = {
  list({ params, caller, world }) {
    const project = findProjectFor(world, caller, params.id, maintainer)
    const found = world.protectedBranches
      .where('project', project.id)
      .filter(({ name }) => name.includes(params.search ?? ''))
    return pageOf(found, params, (each) => show(world, each))
  },

  create({ params, caller, world }) {
    const project = findProjectToChange(world, caller, params.id, maintainer)
    const { name, allow_force_push, code_owner_approval_required = false } = params
    if (!isRefName(name.replaceAll('*', 'x'))) throw invalid('name', 'is invalid')
    if (named(world, project, name) !== undefined) throw refuse(409, `Protected branch '${name}' already exists`)
    const id = nextNumber(world, 'protected branches')
    const push = readAccess(world, project, 'push', params)
    const merge = readAccess(world, project, 'merge', params)
    const unprotect = readAccess(world, project, 'unprotect', params)
    const added = world.protectedBranches.add({
      id,
      project_id: project.id,
      name,
      allow_force_push,
      push_access_level: push.level,
      allowed_to_push: push.list,
      merge_access_level: merge.level,
      allowed_to_merge: merge.list,
      ...(isPremium(world) && {
        unprotect_access_level: unprotect.level,
        allowed_to_unprotect: unprotect.list,
        code_owner_approval_required,
      }),
    })
    return show(world, added)
  },

  delete({ params, caller, world }) {
    const project = findProjectToChange(world, caller, params.id, maintainer)
    world.protectedBranches.remove(findToUnprotect(world, project, caller, params.name).id)
    return null
  },
}

function named(world: World, project: Project, name: string) {
  return world.protectedBranches.where('project', project.id).find((each) => each.name === name)
}

/** Throws 403 for maintainers whom its list leaves out (Premium). */
function findToUnprotect(world: World, project: Project, caller: User, name: string): ProtectedBranch {
  const found = named(world, project, name)
  if (found === undefined) throw notFound()
  if (!mayUnprotect(world, project, caller, found)) throw forbidden()
  return found
}

type Given = CheckedParams<Api['projects']['protectedBranches']['create']>
type Entry = NonNullable<Given['allowed_to_push']>[number]

/** Throws 400 and 422. Maintainers, unless a level or the list says who may; Free ignores the list. */
function readAccess(world: World, project: Project, right: Right, given: Given) {
  const entries = (isPremium(world) && given[`allowed_to_${right}`]) || []
  const level = given[`${right}_access_level`] ?? (entries.length > 0 ? null : maintainer)
  return { level, list: entries.map((entry) => readEntry(world, project, right, entry)) }
}

function readEntry(world: World, project: Project, right: Right, given: Entry): ProtectionAccess {
  const { access_level = null, user_id = null, group_id = null } = given
  // Entries for deploy keys and for custom roles come without any of the three.
  const named = [access_level, user_id, group_id].filter((each) => each !== null)
  if (named.length !== 1) throw badParameter(`allowed_to_${right} is invalid`)
  const kind = `${right[0]?.toUpperCase()}${right.slice(1)} access levels`
  if (user_id !== null && !isMember(world, project, user_id))
    throw refuse(422, [`${kind} user is not a member of the project`])
  if (group_id !== null && !hasGroup(world, project, group_id))
    throw refuse(422, [`${kind} group does not have access to the project`])
  return { id: nextNumber(world, 'protected branches'), access_level, user_id, group_id }
}

function isMember(world: World, project: Project, userId: number) {
  const user = world.users.get(userId)
  return user !== undefined && memberLevelIn(world, user, project) > 0
}

/** A group that the project is in or shared with. */
function hasGroup(world: World, { id, namespace_id }: Project, groupId: number) {
  const group = world.groups.get(namespace_id)
  const isAbove = group !== undefined && lineage(world, group).some((each) => each.id === groupId)
  return isAbove || world.shareLinks.where('project', id).some((link) => link.group_id === groupId && !hasEnded(link))
}

function show(world: World, protection: ProtectedBranch): z.output<typeof schema> {
  const { id, name, allow_force_push, code_owner_approval_required = false } = protection
  const levels = (right: Right) => accessOf(protection, right).flatMap((each) => showAccess(world, each))
  return {
    id,
    name,
    allow_force_push,
    push_access_levels: levels('push'),
    merge_access_levels: levels('merge'),
    ...(isPremium(world) && { unprotect_access_levels: levels('unprotect'), code_owner_approval_required }),
  }
}

/** Nothing for a user or a group that was removed. */
function showAccess(world: World, { id, access_level, user_id, group_id }: ProtectionAccess) {
  const subject = user_id === null ? world.groups.get(group_id ?? 0) : world.users.get(user_id)
  const access_level_description = access_level === null ? subject?.name : levelNames[access_level]
  if (access_level_description === undefined) return []
  return [{ id, access_level, access_level_description, ...(isPremium(world) && { user_id, group_id }) }]
}
