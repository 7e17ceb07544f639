// Whether rules are in force in a project, so that a sweep has something to do there.
import { hasRulesForIssues } from '../../rules/engine/conditions/rules-in-force.ts'
import type { Context } from '../context.ts'
import { enqueueOpen } from '../rule-files/enqueue-open.ts'
import { fileAt, headOf, type ReadingClient } from '../rule-files/read-rule-file.ts'
import { repositoryRulePath } from '../rule-files/rules-in-force.ts'
import type { CallBudget } from '../service/call-budget.ts'
import type { ProjectToSweep, SweepMark } from './sweep-mark.ts'

// For so long an unchanged record of the rule file shows whether rules are in force.
const rulesTrustedForMs = 6 * 60 * 60_000
const noRulesTrustedForMs = 24 * 60 * 60_000
/** Reading the rules of a project takes about so many calls. */
const callsForRules = 3

/** Whether rules are in force; undefined: the budget is used up. Throws what client, journal and queue throw. */
export async function rulesOf(
  context: Context,
  project: number,
  { rules: known }: SweepMark,
  { memberOnly, named, path, dryRun }: Pick<ProjectToSweep, 'memberOnly' | 'named' | 'path'> & { dryRun: boolean },
  budget: CallBudget,
): Promise<NonNullable<SweepMark['rules']> | undefined> {
  const { client, journal, now } = context
  const basis = memberOnly === true ? (named === true ? 'named' : 'own_rules') : 'deliveries'
  const version = async () => {
    const record = await journal.ruleFiles.find({ project, path: repositoryRulePath })
    return JSON.stringify([
      basis,
      context.rules.operatorVersion,
      record?.ref ?? null,
      record?.blob ?? null,
      path ?? record?.projectPath,
    ])
  }
  const trustedForMs = known?.any === true || known?.forIssues === true ? rulesTrustedForMs : noRulesTrustedForMs
  if (known !== undefined && now() - known.readAt < trustedForMs && known.version === (await version())) return known
  for (let call = 0; call < callsForRules; call += 1) if (!budget.take('call')) return undefined
  // Not stored as read: the first delivery must not rely on a record from before its rule file.
  if (basis === 'own_rules' && !(await hasOwnRules(client, project)))
    return { version: await version(), any: false, readAt: now() }
  const reported = path === undefined ? undefined : { path, at: new Date(now()).toISOString() }
  const inForce = await context.rules.inForce(project, { reported })
  // The hook of the push may be lost, and the operator's files and policy change without a hook.
  if (!dryRun) await enqueueOpen(context, project, inForce)
  const counting = inForce.files.filter(({ trust }) => basis !== 'own_rules' || trust === 'repository')
  const isOn = inForce.policy.mode !== 'off'
  const any = isOn && counting.some(({ rules }) => rules.rules.some(({ subject }) => subject !== 'issue'))
  const forIssues = isOn && hasRulesForIssues({ files: counting, policy: inForce.policy })
  return { version: await version(), any, ...(forIssues ? { forIssues } : {}), readAt: now() }
}

async function hasOwnRules(client: ReadingClient, project: number): Promise<boolean> {
  const branch = (await client.projects.get({ id: project })).body.default_branch ?? ''
  const head = branch === '' ? null : await headOf(client, project, branch)
  return head !== null && (await fileAt(client, project, repositoryRulePath, head)) !== null
}
