// The push rule of a project (api-v4.md §2.7).
import type { Project, PushRule } from '../records/records.ts'
import type { State } from '../storage/world.ts'

export type PushLimits = Omit<PushRule, 'id' | 'project_id' | 'created_at'>

export const noLimits: PushLimits = {
  deny_delete_tag: false,
  member_check: false,
  prevent_secrets: false,
  commit_message_regex: '',
  branch_name_regex: '',
  author_email_regex: '',
  file_name_regex: '',
  max_file_size: 0,
}

export function ruleOf(world: State, project: Project): PushRule | undefined {
  return world.pushRules.where('project', project.id)[0]
}

/** Undefined without a rule, or when it allows everything. */
export function activeRule(world: State, project: Project): PushRule | undefined {
  const rule = ruleOf(world, project)
  if (rule === undefined) return undefined
  const { id, project_id, created_at, ...limits } = rule
  return Object.values(limits).some(Boolean) ? rule : undefined
}
