// Rule trials check a text as a project's rule file, and try it on a merge request or issue, or on past merge
// requests. Nothing is stored or sent.
import * as z from 'zod'
import type { Backtest } from '../../../rules/backtest/totals.ts'
import type { NamedRef } from '../../../rules/facts/definition/subject-ref.ts'
import { formatProblem } from '../../../rules/language/documents/rule-document.ts'
import { checkText, formatWarning } from '../../../rules/lint/warnings.ts'
import { readOverrides } from '../../../rules/testing/overrides.ts'
import type { Decision } from '../../../rules/types.ts'
import type { AdminContext } from '../../admin-context.ts'
import { ofProject, project, projectOrMergeRequest, refOf, wholeNumber } from '../inputs.ts'
import { object } from '../response-schemas.ts'
import { getRoute, ok, postRoute } from '../route.ts'
import { overrideTexts } from './explain.ts'

const texts = z.array(z.string())

const ruleTrial = z.object({
  problems: texts.describe('`.bellhop.yml:LINE:COLUMN: …`'),
  warnings: texts,
  of: object<NamedRef>().optional().describe('The project, or the merge request or issue, that it is tried on.'),
  decision: object<Decision>().optional().describe('On the merge request or issue, if the text has no problems.'),
  backtest: object<Backtest>().optional(),
  reason: z.string().optional().describe('Why there is no decision, or no backtest.'),
})
export type RuleTrial = z.output<typeof ruleTrial>

const ruleFileText = z.object({ path: z.string(), text: z.string() })
export type RuleFileText = z.output<typeof ruleFileText>

const file = '.bellhop.yml'

const input = z.strictObject({
  text: z.string().max(1_000_000).default('').describe('The text of a rule file.'),
  do: z.enum(['check', 'explain', 'backtest']).default('check').describe('All but `check` need the project.'),
  project: projectOrMergeRequest,
  ...ofProject,
  overrides: overrideTexts,
  last: wholeNumber(1, 50).default(20).describe('How many merge requests to backtest, the newest first.'),
})

export const ruleTrialRoutes = [
  getRoute('show_rule_file', '/rules/{project}/file', {
    doc: 'Shows the text of the repository’s rule file as it was last read, also while it is broken.',
    params: z.object({ project }),
    responses: { 200: ruleFileText },
    errors: { 404: 'No rule file of that project was ever read.' },
    async handle({ params: { project } }, { ruleTrials }) {
      const file = await ruleTrials.text(project)
      return file && ok<RuleFileText>(file)
    },
  }),
  postRoute('try_rules', '/rules/try', 'read', {
    readOnly: true,
    largeBody: true,
    doc: 'Checks a text as the rule file of a repository; explains a merge request or an issue by it, or backtests it. Reads the service; sends and stores nothing.',
    input,
    responses: { 200: ruleTrial },
    async handle({ input: given }, context) {
      const { problems, warnings } = checkText(given.text, file, { trust: 'repository' })
      return ok<RuleTrial>({
        problems: problems.map(formatProblem),
        warnings: warnings.map(formatWarning),
        of:
          given.project === undefined ? undefined : { project: given.project, iid: given.iid, subject: given.subject },
        ...(problems.length === 0 && (await tryRules(given, context))),
      })
    },
  }),
]

async function tryRules(
  { do: what, text, project, iid, subject, overrides, last }: z.output<typeof input>,
  { ruleTrials }: AdminContext,
): Promise<Pick<RuleTrial, 'decision' | 'backtest' | 'reason'>> {
  if (what === 'check') return {}
  if (project === undefined) return { reason: 'Choose a project first.' }
  if (what === 'backtest') {
    const run = await ruleTrials.backtest(project, text, last)
    return run.ok ? { backtest: run.backtest } : { reason: run.reason }
  }
  if (iid === undefined) return { reason: 'Name a merge request or an issue first.' }
  const read = readOverrides(overrides)
  if (!read.ok) return { reason: read.problems.join('\n') }
  const run = await ruleTrials.explain(refOf({ project, iid, subject }), text, read.overrides)
  return run.ok ? { decision: run.decision } : { reason: run.reason }
}
