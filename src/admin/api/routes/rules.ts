// Rules: the files in force in a project, their problems, and how often each rule matched.
import pLimit from 'p-limit'
import * as z from 'zod'
import { ruleCountName } from '../../../journal/tables/counts.ts'
import type { RuleCounts } from '../../../journal/types.ts'
import { ruleSet } from '../../../rules/engine/conditions/rules-in-force.ts'
import type { RuleFileInForce } from '../../../rules/types.ts'
import type { AdminContext } from '../../admin-context.ts'
import { integer, project, wholeNumber } from '../inputs.ts'
import { count, hook, names, page, time } from '../response-schemas.ts'
import { getRoute, ok } from '../route.ts'
import { hookStatus } from './projects.ts'

const problems = z.array(z.string()).describe('`FILE:LINE:COLUMN: …`')
const projectRulesSummary = z.object({
  project: z.int(),
  ...names,
  path: z.string(),
  readAt: time,
  rules: count,
  neverMatched: count.describe('How many rules never matched within the retention time.'),
  problems,
  hook,
})
export type ProjectRulesSummary = z.output<typeof projectRulesSummary>

const tally = {
  acted: count.describe('Matched, and a call was done for it.'),
  matched: count.describe('Matched, with nothing to do.'),
  unknown: count,
  lastMatched: time.optional(),
}
const ruleStatus = z.object({
  name: z.string(),
  line: count,
  mode: z.enum(['act', 'observe', 'off']),
  on: z.array(z.string()).optional().describe('The events of an event rule.'),
  ...tally,
})
export type RuleStatus = z.output<typeof ruleStatus>

const ruleFileStatus = z.object({
  path: z.string(),
  trust: z.enum(['operator', 'repository']),
  blob: z.string().nullable(),
  commit: z.string().optional().describe('Absent while the newest version is broken: an older one is in force.'),
  broken: z.boolean(),
  text: z.string().optional().describe('The version in force of a repository’s file, while its newest is broken.'),
  rules: z.array(ruleStatus),
})

const rulesResponse = z.object({
  project: z.int(),
  ...names,
  path: z.string(),
  branch: z.string(),
  readAt: time,
  mode: z.enum(['act', 'observe', 'off']),
  problems,
  files: z.array(ruleFileStatus),
})
export type RulesResponse = z.output<typeof rulesResponse>

export const ruleRoutes = [
  getRoute('list_rules', '/rules', {
    doc: 'Lists the projects whose rules are known, with the problems of their files, and their hooks.',
    input: z.strictObject({
      limit: wholeNumber(1, 100).default(20),
      after: integer.optional().describe('`next` of the previous page.'),
    }),
    responses: { 200: page(projectRulesSummary) },
    async handle({ input: { limit, after = Number.POSITIVE_INFINITY } }, context) {
      const known = (await context.journal.projects.known()).reverse().filter((each) => each < after)
      const projects = known.slice(0, limit)
      const found = await pLimit(4).map(projects, (each) => summarize(context, each))
      const items = found.filter((each) => each !== undefined)
      return ok({ items, next: known.length > limit ? String(projects.at(-1)) : undefined })
    },
  }),
  getRoute('show_rules', '/rules/{project}', {
    doc: 'Shows the rule files in force in a project, and how often each rule matched within the retention time.',
    params: z.object({ project }),
    responses: { 200: rulesResponse },
    errors: { 404: 'No rules of that project were ever read.' },
    async handle({ params: { project } }, context) {
      const response = await readRules(context, project)
      return response && ok(response)
    },
  }),
]

async function summarize(context: AdminContext, project: number): Promise<ProjectRulesSummary | undefined> {
  const found = await readRules(context, project)
  if (found === undefined) return undefined
  const { path, readAt, problems, files } = found
  const rules = files.flatMap((file) => file.rules)
  const counts = { rules: rules.length, neverMatched: rules.filter(neverMatched).length }
  return { project, path, readAt, problems, ...counts, ...(await hookStatus(context, project)) }
}

export const neverMatched = ({ acted, matched }: Pick<RuleCounts, 'acted' | 'matched'>) => acted + matched === 0

async function readRules(
  { journal, rulesInProject, now }: AdminContext,
  project: number,
): Promise<RulesResponse | undefined> {
  const found = await rulesInProject(project)
  if (found === undefined) return undefined
  const tallies = await journal.counts.rules(project, new Date(now()))
  const { files, policy, problems, projectPath: path, branch, readAt } = found
  const inForce = ruleSet(files, policy).rules
  const rulesOf = ({ path, trust }: RuleFileInForce) =>
    inForce
      .filter(({ file }) => file.path === path && file.trust === trust)
      .map(({ name: key, mode, rule: { name, line, on } }) => {
        const tally = tallies.get(ruleCountName(key)) ?? { acted: 0, matched: 0, unknown: 0 }
        return { name, line, mode, on: on?.map(({ kind }) => kind), ...tally }
      })
  return {
    project,
    path,
    branch,
    readAt,
    mode: policy.mode,
    problems,
    files: await Promise.all(
      files.map(async (file) => {
        const { path, trust, blob, broken, commit } = file
        const stored = trust === 'repository' && broken ? await journal.ruleFiles.find({ project, path }) : undefined
        return { path, trust, blob, broken, commit, text: stored?.good?.text, rules: rulesOf(file) }
      }),
    ),
  }
}
