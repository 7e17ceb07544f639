// The YAML format of `bellhop sandbox --scenario`.
import * as z from 'zod'
import { mergeSettings } from '../../api/schemas/project.ts'
import { memberLevels } from '../../rules/language/operators/fact-types.ts'
import { readYaml } from '../../rules/language/yaml/yaml-text.ts'
import { problemAt, problemsOf, textProblem } from '../output/yaml-problems.ts'
import { period } from '../settings/setting.ts'

/** A name for each of these numbers. */
const named = <T extends Record<string, number>>(numbers: T) =>
  z.enum(Object.keys(numbers) as (keyof T & string)[]).transform((name) => numbers[name] as T[keyof T])
export const hookEvents = [
  'push',
  'tag_push',
  'issues',
  'merge_requests',
  'note',
  'job',
  'pipeline',
  'wiki',
  'emoji',
] as const

const text = z.string().min(1)
const level = named(memberLevels)
const members = z.record(text, level).default({})
const visibility = z.enum(['private', 'internal', 'public']).optional()
/** Path → content; null deletes the file. */
const files = z.record(text, z.string().nullable())

const user = z.strictObject({
  username: text,
  name: text.optional(),
  email: text.optional(),
  bot: z.boolean().default(false),
})
const group = z.strictObject({
  /** Full path: `hotel/kitchen`. */
  path: text,
  name: text.optional(),
  visibility,
  members,
})
const mergeRequest = z.strictObject({
  title: text,
  author: text,
  source_branch: text,
  target_branch: text.optional(),
  description: z.string().optional(),
  labels: z.array(text).default([]),
  assignee: text.optional(),
  reviewers: z.array(text).default([]),
  milestone: text.optional(),
  squash: z.boolean().optional(),
  remove_source_branch: z.boolean().optional(),
  files,
  pipeline: z.enum(['pending', 'running', 'success', 'failed', 'canceled', 'skipped']).optional(),
  approved_by: z.array(text).default([]),
  comments: z.array(z.strictObject({ by: text, text })).default([]),
  state: z.enum(['opened', 'closed', 'merged']).default('opened'),
})
const longestPipeline = 24 * 3_600_000
/** `5s` → milliseconds. */
const takes = z.string().transform((given, context) => {
  try {
    if (period(given) <= longestPipeline) return period(given)
    context.addIssue('at most 24h')
  } catch (error) {
    context.addIssue((error as Error).message)
  }
  return z.NEVER
})
const end = z.enum(['success', 'failed', 'canceled', 'skipped', 'manual', 'canceling', 'waiting_for_callback'])
const pipelines = z.strictObject({
  branches: text,
  kind: z.enum(['branch', 'merge_request', 'merged_results', 'merge_train']).default('branch'),
  takes: takes.default(1000),
  /** A list: one after the other, then from the first again. */
  ends: z
    .union(
      [end.transform((one) => [one]), z.array(end).min(1).max(1000)],
      `${end.options.join(', ')}, or a list of these`,
    )
    .default(['success']),
  /** Files that break each other: a commit that has all of them fails. */
  breaks_with: z.array(text).default([]),
})
const role = named({ nobody: 0, developer: 30, maintainer: 40, administrator: 60 } as const)
const protectedBranch = z.strictObject({
  name: text,
  push: role.default(40),
  merge: role.default(40),
  allow_force_push: z.boolean().default(false),
})
/** What a project is created with, by the API's own names. */
export const projectSettings = z
  .object({
    ...mergeSettings,
    approvals_before_merge: z.int().nonnegative(),
    only_allow_merge_if_pipeline_succeeds: z.boolean(),
    only_allow_merge_if_all_discussions_are_resolved: z.boolean(),
  })
  .partial()
const issue = z.strictObject({
  title: text,
  by: text.optional(),
  description: z.string().optional(),
  labels: z.array(text).default([]),
})
const hook = z.strictObject({
  url: text,
  token: text.optional(),
  events: z.array(z.enum(hookEvents)).default([...hookEvents]),
})
const project = z.strictObject({
  /** Full path: `hotel/app`. */
  path: text,
  name: text.optional(),
  visibility,
  members,
  ...projectSettings.shape,
  protected_branches: z.array(protectedBranch).default([]),
  /** The scripted CI: how pipelines go. */
  pipelines: z.array(pipelines).default([]),
  files: files.default({}),
  labels: z.array(text).default([]),
  milestones: z.array(text).default([]),
  issues: z.array(issue).default([]),
  hooks: z.array(hook).default([]),
  merge_requests: z.array(mergeRequest).default([]),
})
export const scenarioSchema = z.strictObject({
  version: z.literal(1),
  users: z.array(user).default([]),
  groups: z.array(group).default([]),
  projects: z.array(project).default([]),
})

export type Scenario = z.output<typeof scenarioSchema>
export type ScenarioProject = z.output<typeof project>
export type ScenarioMergeRequest = z.output<typeof mergeRequest>

/** Problems are `FILE:LINE:COLUMN: place: message`. */
export function readScenario(
  source: string,
  file: string,
): { ok: true; scenario: Scenario } | { ok: false; problems: string[] } {
  const read = readYaml(source)
  if (!read.ok) return { ok: false, problems: read.problems.map((each) => textProblem(each, file)) }
  const { yaml } = read
  const checked = scenarioSchema.safeParse(yaml.value ?? {})
  if (!checked.success) return { ok: false, problems: problemsOf(checked.error, { yaml, file }) }
  const { users, groups, projects } = checked.data
  const known = new Set(['root', ...users.map((each) => each.username)])
  const problems = peopleIn({ groups, projects }, [])
    .filter(({ name }) => !known.has(name))
    .map(({ path, name }) => problemAt(path, `no user "${name}" in this scenario`, { yaml, file }))
  return problems.length > 0 ? { ok: false, problems } : { ok: true, scenario: checked.data }
}

interface NameUse {
  path: (string | number)[]
  name: string
}

const namesPeople = new Set(['author', 'assignee', 'reviewers', 'approved_by', 'by'])

function peopleIn(value: unknown, at: NameUse['path']): NameUse[] {
  if (Array.isArray(value)) return value.flatMap((each, index) => peopleIn(each, [...at, index]))
  if (typeof value === 'string')
    return namesPeople.has(String(at.findLast((step) => typeof step === 'string'))) ? [{ path: at, name: value }] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) => {
    // Their keys are paths, and what they hold is text.
    if (key === 'files') return []
    const path = [...at, key]
    return key === 'members' ? Object.keys(each).map((name) => ({ path: [...path, name], name })) : peopleIn(each, path)
  })
}
