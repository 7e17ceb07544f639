// Sweeps one project: what changed since the last sweep, and what waits on something that does not show.
import type { SweptProject } from '../../journal/types.ts'
import { hasRulesForIssues } from '../../rules/engine/conditions/rules-in-force.ts'
import { refName } from '../../rules/facts/definition/subject-ref.ts'
import type { Context } from '../context.ts'
import { checkHook } from '../notifications/disabled-hooks.ts'
import { enqueueEvaluation } from '../queues.ts'
import { enqueueOpen } from '../rule-files/enqueue-open.ts'
import { fileAt, headOf, type ReadingClient } from '../rule-files/read-rule-file.ts'
import { repositoryRulePath } from '../rule-files/rules-in-force.ts'
import type { CallBudget } from '../service/call-budget.ts'
import { isNotFound, isPermanentRefusal } from '../service/retry-policy.ts'
import { type ListedEntry, type ListReading, sweepChanges, sweepOpen } from './sweep-lists.ts'
import {
  advanced,
  type ListMark,
  neverListed,
  type ProjectToSweep,
  readMark,
  type SweepMark,
  saveMark,
} from './sweep-mark.ts'

export interface SweepMode {
  /** All that are open: a person asked. */
  every: boolean
  /** Queues and stores nothing. */
  dryRun: boolean
}

// After what people wait for within a quarter of an hour, and after changes of the rules.
const priority = 100

/** Sweeps as far as the budget goes. A project that may not be read says why; throws what else the client throws. */
export async function sweepProject(
  context: Context,
  given: ProjectToSweep,
  { every, dryRun }: SweepMode,
  budget: CallBudget,
): Promise<SweptProject> {
  const { journal, now } = context
  const { project, path, enqueued, looked } = given
  const isBegun = looked.size > 0
  const swept: SweptProject = { project, path, looked: 0, enqueued: [], left: false }
  const enqueue = async ({ iid }: ListedEntry, why: SweptProject['enqueued'][number]['why']) => {
    if (iid === undefined || enqueued.has(iid)) return true
    if (!budget.take('evaluation')) return false
    enqueued.add(iid)
    swept.enqueued.push({ iid, why })
    const data = { project, iid }
    const name = refName({ project, iid, path })
    context.log.debug({ event: 'sweep_enqueued', mergeRequest: name, why, dryRun }, `sweep: ${why}`)
    if (!dryRun) await enqueueEvaluation(context.queues.mergeRequests, data, priority)
    return true
  }
  try {
    const stored = given.mark ?? (await readMark(journal, project))
    // A person asked for all: another sweep's page would leave out those before it.
    const fromStart = <M extends ListMark>(mark: M): M => (every && !isBegun ? { ...mark, openPage: undefined } : mark)
    const before: SweepMark = { ...fromStart(stored), issues: fromStart(stored.issues ?? neverListed) }
    const began = now()
    const rules = await rulesOf(context, project, before, { ...given, dryRun }, budget)
    if (rules === undefined) return { ...swept, left: true }
    const sweepOne = (of: ListReading['of'], mark: ListMark, has: { rules: boolean; had: boolean }) =>
      sweepList(context, { of, project, budget, looked, enqueue, every, began }, mark, has)
    if (!dryRun && (rules.any || rules.forIssues === true)) await checkHook(context, given, budget)
    const ofIssues = { rules: rules.forIssues === true, had: stored.rules?.forIssues === true }
    const mergeRequests = await unlessRefused('merge requests', ofIssues.rules, () =>
      sweepOne('merge requests', before, { rules: rules.any, had: stored.rules?.any === true }),
    )
    const issues = await unlessRefused('issues', true, () => sweepOne('issues', before.issues ?? neverListed, ofIssues))
    const mark = { ...before, ...mergeRequests.mark, issues: issues.mark ?? before.issues, rules }
    if (dryRun) given.mark = mark
    else await saveMark(journal, project, { ...mark, sweptAt: began })
    const both = [mergeRequests, issues]
    const failed = both.flatMap((each) => each.failed ?? [])
    if (both.every(({ mark }) => mark === undefined) && failed.length === 0)
      return { ...swept, skipped: 'no rules are in force' }
    const left = both.some(({ mark }) => mark?.left !== undefined || mark?.openPage !== undefined)
    return { ...swept, looked: looked.size, left, ...(failed.length === 0 ? {} : { failed: failed.join(' ') }) }
  } catch (error) {
    if (!isPermanentRefusal(error)) throw error
    if (isNotFound(error) && !dryRun) await journal.projects.forget(project)
    return { ...swept, looked: looked.size, failed: error.message }
  }
}

/** Both halves of one list; undefined if no rule is for it. */
async function sweepList(
  context: Context,
  { began, ...reading }: ListReading & { began: number },
  mark: ListMark,
  { rules, had }: { rules: boolean; had: boolean },
): Promise<ListMark | undefined> {
  // After rules are turned off or removed, all that are open are evaluated once more, for withdrawals.
  const isLeaving = !rules && (had || mark.openPage !== undefined)
  if (!rules && !isLeaving) return undefined
  // Nothing can be listed: a mark made from nothing would show every issue as changed.
  if (reading.budget.left <= 0) return { ...mark, openPage: mark.openPage ?? 1 }
  const where = { ...reading, every: reading.every || isLeaving }
  const changes = await sweepChanges(context, where, mark)
  const openPage = await sweepOpen(context, where, mark)
  return { ...advanced(mark, changes, began), left: changes.left, openPage }
}

/** A project may have turned one of the two off: the other is swept. A 404 of merge requests is that of the project. */
async function unlessRefused(
  of: ListReading['of'],
  hasOther: boolean,
  sweep: () => Promise<ListMark | undefined>,
): Promise<{ mark?: ListMark | undefined; failed?: string }> {
  try {
    return { mark: await sweep() }
  } catch (error) {
    if (!isPermanentRefusal(error) || !hasOther || (of === 'merge requests' && isNotFound(error))) throw error
    return { failed: `Its ${of} cannot be listed: ${error.message}` }
  }
}

// For so long an unchanged record of the rule file shows whether rules are in force.
const rulesTrustedForMs = 6 * 60 * 60_000
const noRulesTrustedForMs = 24 * 60 * 60_000
/** Reading the rules of a project takes about so many calls. */
const callsForRules = 3

/** Whether rules are in force; undefined: the budget is used up. Throws what client, journal and queue throw. */
async function rulesOf(
  context: Context,
  project: number,
  { rules: known }: SweepMark,
  { basis, path, dryRun }: Pick<ProjectToSweep, 'basis' | 'path'> & { dryRun: boolean },
  budget: CallBudget,
): Promise<NonNullable<SweepMark['rules']> | undefined> {
  const { client, journal, now } = context
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
