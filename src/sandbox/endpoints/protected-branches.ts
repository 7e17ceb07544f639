// What a project refuses of pushes: its protected branches and its push rule, as in GitLab.
import type { CheckedParams } from '../../api/endpoint.ts'
import type { Api } from '../../api/index.ts'
import { maintainer, projectFor, projectToChange } from '../access/access.ts'
import { isRefName } from '../git/refs.ts'
import { badParameter, invalid, orNotFound, refuse } from '../http/error-response.ts'
import { type Handlers, on, pageOf } from '../http/handler.ts'
import { isPremium, premium } from '../installation.ts'
import { checkExpression, limitNames, noLimits, type PushLimits, patternFields, ruleOf } from '../pushes/check-push.ts'
import { accessOf } from '../pushes/protected-branches.ts'
import { defined, pick } from '../records/fields.ts'
import type { Project, ProtectedBranch, ProtectionAccess, ProtectionLevel } from '../records/records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'

const levelNames: Record<ProtectionLevel, string> = {
  0: 'No one',
  30: 'Developers + Maintainers',
  40: 'Maintainers',
  60: 'Administrators',
}

type Right = 'push' | 'merge'

export const protectedBranches: Handlers<Api['projects']['protectedBranches']> = {
  list: on(projectFor(maintainer), ({ project, params, world }) => {
    const found = world.protectedBranches
      .where('project', project.id)
      .filter(({ name }) => name.includes(params.search ?? ''))
    return pageOf(found, params, (each) => show(world, each))
  }),

  create: on(projectToChange(maintainer), ({ project, params, world }) => {
    const { name, allow_force_push } = params
    if (!isRefName(name.replaceAll('*', 'x'))) throw invalid('name', 'is invalid')
    if (named(world, project, name) !== undefined) throw refuse(409, `Protected branch '${name}' already exists`)
    const id = nextNumber(world, 'protected branches')
    const [push, merge] = [readAccess(world, 'push', params), readAccess(world, 'merge', params)]
    const added = world.protectedBranches.add({
      id,
      project_id: project.id,
      name,
      allow_force_push,
      push_access_level: push.level,
      allowed_to_push: push.list,
      merge_access_level: merge.level,
      allowed_to_merge: merge.list,
    })
    return show(world, added)
  }),

  delete: on(projectToChange(maintainer), ({ project, params, world }) => {
    const found = orNotFound(named(world, project, params.name))
    world.protectedBranches.remove(found.id)
    return null
  }),
}

function named(world: World, project: Project, name: string) {
  return world.protectedBranches.where('project', project.id).find((each) => each.name === name)
}

type Given = CheckedParams<Api['projects']['protectedBranches']['create']>
type Entry = NonNullable<Given['allowed_to_push']>[number]

/** Throws 400. Maintainers, unless a level or the list says who may; Free ignores the list. */
function readAccess(world: World, right: Right, given: Given) {
  const entries = (isPremium(world) && given[`allowed_to_${right}`]) || []
  const level = given[`${right}_access_level`] ?? (entries.length > 0 ? null : maintainer)
  return { level, list: entries.map((entry) => readEntry(world, right, entry)) }
}

function readEntry(world: World, right: Right, given: Entry): ProtectionAccess {
  const { access_level = null, user_id = null, group_id = null } = given
  // Entries for deploy keys and for custom roles come without any of the three.
  const named = [access_level, user_id, group_id].filter((each) => each !== null)
  if (named.length !== 1) throw badParameter(`allowed_to_${right} is invalid`)
  return { id: nextNumber(world, 'protected branches'), access_level, user_id, group_id }
}

function show(world: World, protection: ProtectedBranch) {
  const levels = (right: Right) => accessOf(protection, right).flatMap((each) => showAccess(world, each))
  return {
    ...pick(protection, 'id', 'name', 'allow_force_push'),
    push_access_levels: levels('push'),
    merge_access_levels: levels('merge'),
  }
}

/** Nothing for a user or a group that was removed. */
function showAccess(world: World, { id, access_level, user_id, group_id }: ProtectionAccess) {
  const subject = user_id === null ? world.groups.get(group_id) : world.users.get(user_id)
  const access_level_description = access_level === null ? subject?.name : levelNames[access_level]
  if (access_level_description === undefined) return []
  return [{ id, access_level, access_level_description, ...(isPremium(world) && { user_id, group_id }) }]
}

export const pushRule: Handlers<Api['projects']['pushRule']> = {
  get: on(premium(projectFor(maintainer)), ({ project, world }) => findRule(world, project)),

  create: on(premium(projectToChange(maintainer)), ({ project, params, world }) => {
    if (ruleOf(world, project) !== undefined) throw refuse(422, 'Project push rule exists')
    const limits = readLimits(params, noLimits)
    return world.pushRules.add({
      id: nextNumber(world, 'push rules'),
      project_id: project.id,
      ...limits,
      created_at: now(world),
    })
  }),

  update: on(premium(projectToChange(maintainer)), ({ project, params, world }) => {
    const rule = findRule(world, project)
    return world.pushRules.update(rule.id, readLimits(params, rule))
  }),

  delete: on(premium(projectToChange(maintainer)), ({ project, world }) => {
    const rule = ruleOf(world, project)
    if (rule !== undefined) world.pushRules.remove(rule.id)
    return null
  }),
}

function findRule(world: World, project: Project) {
  return orNotFound(ruleOf(world, project), 'Push Rule')
}

/** Merges the given fields into `before`; throws 400 for an invalid expression. */
function readLimits(given: Partial<PushLimits>, before: PushLimits): PushLimits {
  for (const field of patternFields) checkExpression(field, given[field] ?? '')
  return { ...pick(before, ...limitNames), ...defined(pick(given, ...limitNames)) }
}
