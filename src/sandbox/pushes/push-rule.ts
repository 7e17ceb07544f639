// The push rule of a project, and its expressions, matched in linear time as in GitLab.
import { RE2JS } from 're2js'
import { invalid } from '../http/error-response.ts'
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

export const patternFields = [
  'commit_message_regex',
  'branch_name_regex',
  'author_email_regex',
  'file_name_regex',
] as const
export type PatternField = (typeof patternFields)[number]

/** Longer texts are refused unread. */
const longestText = 100_000

/** `^` and `$` match lines in a message, else the whole text. */
const compile = (field: PatternField, expression: string) =>
  RE2JS.compile(expression, field === 'commit_message_regex' ? RE2JS.MULTILINE : 0)

export function checkExpression(field: PatternField, expression: string): void {
  try {
    compile(field, expression)
  } catch (error) {
    const reason = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : String(error)
    throw invalid(field, `is invalid: not a valid RE2 regular expression (${reason})`)
  }
}

/** Undefined when the rule has none. */
export function createMatcher(
  rule: PushRule,
  field: PatternField,
): ((text: string) => boolean | 'too_long') | undefined {
  const expression = rule[field]
  if (expression === '') return undefined
  const compiled = compile(field, expression)
  return (text) => (text.length > longestText ? 'too_long' : compiled.test(text))
}
