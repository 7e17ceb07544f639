// Protected branches of a project, as in GitLab.
import type { Api } from '../../api/index.ts'
import { findProjectFor, findProjectToChange, maintainer } from '../access/access.ts'
import { isRefName } from '../git/refs.ts'
import { invalid, notFound, refuse } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { isPremium } from '../installation.ts'
import { pick } from '../records/fields.ts'
import type { Project, ProtectedBranch, ProtectionLevel } from '../records/records.ts'
import { nextNumber, type World } from '../storage/world.ts'

const levelNames: Record<ProtectionLevel, string> = {
  0: 'No one',
  30: 'Developers + Maintainers',
  40: 'Maintainers',
  60: 'Administrators',
}

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
    const { name } = params
    if (!isRefName(name.replaceAll('*', 'x'))) throw invalid('name', 'is invalid')
    if (named(world, project, name) !== undefined) throw refuse(409, `Protected branch '${name}' already exists`)
    const settings = pick(params, 'name', 'allow_force_push', 'push_access_level', 'merge_access_level')
    const id = nextNumber(world, 'protected branches')
    return show(world, world.protectedBranches.add({ id, project_id: project.id, ...settings }))
  },

  delete({ params, caller, world }) {
    const project = findProjectToChange(world, caller, params.id, maintainer)
    const found = named(world, project, params.name)
    if (found === undefined) throw notFound()
    world.protectedBranches.remove(found.id)
    return null
  },
}

function named(world: World, project: Project, name: string) {
  return world.protectedBranches.where('project', project.id).find((each) => each.name === name)
}

function show(world: World, protection: ProtectedBranch) {
  const { id, name, allow_force_push, push_access_level, merge_access_level } = protection
  const levels = (access_level: ProtectionLevel) => [
    {
      id,
      access_level,
      access_level_description: levelNames[access_level],
      ...(isPremium(world) && { user_id: null, group_id: null }),
    },
  ]
  return {
    id,
    name,
    allow_force_push,
    push_access_levels: levels(push_access_level),
    merge_access_levels: levels(merge_access_level),
  }
}
