// Protected branches of a project, as in GitLab.
import type { z } from 'zod'
import type { Api } from '../../api/index.ts'
import type { protectedBranch as schema } from '../../api/schemas/repository.ts'
import { findProjectFor, findProjectToChange, maintainer } from '../access/access.ts'
import { isRefName } from '../git/names.ts'
import { invalid, notFound, refuse } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import type { Project, ProtectedBranch } from '../records/records.ts'
import { nextNumber, type World } from '../storage/world.ts'

const levelNames: Record<ProtectedBranch['push_access_level'], string> = {
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
    return pageOf(found, params, show)
  },

  get({ params, caller, world }) {
    return show(findProtection(world, findProjectFor(world, caller, params.id, maintainer), params.name))
  },

  create({ params, caller, world }) {
    const project = findProjectToChange(world, caller, params.id, maintainer)
    const { name, push_access_level, merge_access_level, allow_force_push } = params
    if (!isRefName(name.replaceAll('*', 'x'))) throw invalid('name', 'is invalid')
    if (named(world, project, name) !== undefined) throw refuse(409, `Protected branch '${name}' already exists`)
    const added = world.protectedBranches.add({
      id: nextNumber(world, 'protected branches'),
      project_id: project.id,
      ...{ name, push_access_level, merge_access_level, allow_force_push },
    })
    return show(added)
  },

  delete({ params, caller, world }) {
    const project = findProjectToChange(world, caller, params.id, maintainer)
    world.protectedBranches.remove(findProtection(world, project, params.name).id)
    return null
  },
}

function named(world: World, project: Project, name: string) {
  return world.protectedBranches.where('project', project.id).find((each) => each.name === name)
}

function findProtection(world: World, project: Project, name: string): ProtectedBranch {
  const found = named(world, project, name)
  if (found === undefined) throw notFound()
  return found
}

function show({
  id,
  name,
  push_access_level,
  merge_access_level,
  allow_force_push,
}: ProtectedBranch): z.output<typeof schema> {
  return {
    id,
    name,
    push_access_levels: [showLevel(id, push_access_level)],
    merge_access_levels: [showLevel(id, merge_access_level)],
    allow_force_push,
  }
}

/** One level of each kind belongs to each protection, so its number serves. */
function showLevel(id: number, access_level: ProtectedBranch['push_access_level']) {
  return { id, access_level, access_level_description: levelNames[access_level] }
}
