// The push rule of a project (api-v4.md §2.7, §4.3).
import type { Api } from '../../api/index.ts'
import { findProjectFor, maintainer } from '../access.ts'
import { refuseArchived } from '../archived.ts'
import type { Handlers } from '../handler.ts'
import { checkExpression, patternFields } from '../push-rules/patterns.ts'
import { type Limits, noLimits, ruleOf } from '../push-rules/rule.ts'
import type { Project, PushRule, User } from '../records.ts'
import { notFound, refuse } from '../refusal.ts'
import { nextNumber, now, type World } from '../world.ts'

type Given = { readonly [K in keyof Limits]?: Limits[K] | undefined }

export const pushRule: Handlers<Api['projects']['pushRule']> = {
  get({ params, caller, world }) {
    return findRule(world, findProjectFor(world, caller, params.id, maintainer))
  },

  create({ params, caller, world }) {
    const project = findChangeableProject(world, caller, params.id)
    if (ruleOf(world, project) !== undefined) throw refuse(422, 'Project push rule exists')
    const limits = readLimits(params, noLimits)
    return world.pushRules.add({ id: nextNumber(world, 'push rules'), project_id: project.id, ...limits, created_at: now(world) })
  },

  update({ params, caller, world }) {
    const rule = findRule(world, findChangeableProject(world, caller, params.id))
    return world.pushRules.update(rule.id, readLimits(params, rule))
  },

  delete({ params, caller, world }) {
    const rule = ruleOf(world, findChangeableProject(world, caller, params.id))
    if (rule !== undefined) world.pushRules.remove(rule.id)
    return null
  },
}

function findRule(world: World, project: Project): PushRule {
  const rule = ruleOf(world, project)
  if (rule === undefined) throw notFound('Push Rule')
  return rule
}

function findChangeableProject(world: World, caller: User, id: number | string): Project {
  const project = findProjectFor(world, caller, id, maintainer)
  refuseArchived(project)
  return project
}

/** The given fields over those before; an expression that cannot be used is refused. */
function readLimits(given: Given, before: Limits): Limits {
  for (const field of patternFields) checkExpression(field, given[field] ?? '')
  return {
    deny_delete_tag: given.deny_delete_tag ?? before.deny_delete_tag,
    member_check: given.member_check ?? before.member_check,
    prevent_secrets: given.prevent_secrets ?? before.prevent_secrets,
    commit_message_regex: given.commit_message_regex ?? before.commit_message_regex,
    branch_name_regex: given.branch_name_regex ?? before.branch_name_regex,
    author_email_regex: given.author_email_regex ?? before.author_email_regex,
    file_name_regex: given.file_name_regex ?? before.file_name_regex,
    max_file_size: given.max_file_size ?? before.max_file_size,
  }
}
