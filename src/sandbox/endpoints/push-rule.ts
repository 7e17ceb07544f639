// The push rule of a project.
import type { Api } from '../../api/index.ts'
import { maintainer, projectFor, projectToChange } from '../access/access.ts'
import { orNotFound, refuse } from '../http/error-response.ts'
import { type Handlers, on } from '../http/handler.ts'
import { premium } from '../installation.ts'
import { checkExpression, limitNames, noLimits, type PushLimits, patternFields, ruleOf } from '../pushes/check-push.ts'
import { defined, pick } from '../records/fields.ts'
import type { Project } from '../records/records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'

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
