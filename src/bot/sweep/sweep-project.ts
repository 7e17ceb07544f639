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
import { type IsUnchanged, type ListedEntry, type ListReading, sweepChanges, sweepOpen } from './sweep-lists.ts'
import {
  advanced,
  type ListMark,
  listNames,
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
  /** Called with each that is to be evaluated, before that: makes its events pending, which no hook delivers. */
  readEvents?: (entry: ListedEntry) => Promise<void>
  /** Absent: none is known to be unchanged. */
  isUnchanged?: IsUnchanged
}

// After what people wait for within a quarter of an hour, and after changes of the rules.
const priority = 100

/** Sweeps as far as the budget goes. A project that may not be read says why; throws what else the client throws. */
export async function sweepProject(
  context: Context,
  given: ProjectToSweep,
  { every, dryRun, readEvents, isUnchanged }: SweepMode,
  budget: CallBudget,
): Promise<SweptProject> {
  const { journal, now } = context
  const { project, path, enqueued, looked } = given
  const isBegun = looked.size > 0
  const swept: SweptProject = { project, path, looked: 0, enqueued: [], left: false }
  const enqueue = async (entry: ListedEntry, why: SweptProject['enqueued'][number]['why']) => {
    const { iid } = entry
    if (iid === undefined || enqueued.has(iid)) return true
    if (!budget.take('evaluation')) return false
    enqueued.add(iid)
    swept.enqueued.push({ iid, why })
    const data = { project, iid }
    const name = refName({ project, iid, path })
    context.log.debug({ event: 'sweep_enqueued', mergeRequest: name, why, dryRun }, `sweep: ${why}`)
    await readEvents?.(entry)
    if (!dryRun) await enqueueEvaluation(context.queues.mergeRequests, data, priority)
    return true
  }
  try {
    const stored = given.mark ?? (await readMark(journal, project))
    const began = now()
    const rules = await rulesOf(context, project, stored, { ...given, dryRun }, budget)
    if (rules === undefined) return { ...swept, left: true }
    // Where events are read, no hook is needed.
    if (!dryRun && readEvents === undefined && rules.for.length > 0) await checkHook(context, given, budget)
    const reading = { project, budget, looked, enqueue, every, began, isUnchanged }
    const { lists, failed } = await sweepLists(context, reading, isBegun, { stored, rules })
    const mark = { ...stored, lists: { ...stored.lists, ...lists }, rules }
    if (dryRun) given.mark = mark
    else await saveMark(journal, project, { ...mark, sweptAt: began })
    const marks = Object.values(lists)
    if (marks.length === 0 && failed.length === 0) return { ...swept, skipped: 'no rules are in force' }
    const left = marks.some((list) => list.left !== undefined || list.openPage !== undefined)
    return { ...swept, looked: looked.size, left, ...(failed.length === 0 ? {} : { failed: failed.join(' ') }) }
  } catch (error) {
    if (!isPermanentRefusal(error)) throw error
    if (isNotFound(error) && !dryRun) await journal.projects.forget(project)
    return { ...swept, looked: looked.size, failed: error.message }
  }
}

/** The marks of the lists that rules are or were for, and which of these the service refuses. */
async function sweepLists(
  context: Context,
  reading: Omit<ListReading, 'of'> & { began: number },
  isBegun: boolean,
  { stored, rules }: { stored: SweepMark; rules: NonNullable<SweepMark['rules']> },
): Promise<{ lists: SweepMark['lists']; failed: string[] }> {
  const lists: SweepMark['lists'] = {}
  const failed: string[] = []
  for (const of of listNames) {
    const before = stored.lists[of] ?? neverListed
    // A person asked for all: another sweep's page would leave out those before it.
    const mark = reading.every && !isBegun ? { ...before, openPage: undefined } : before
    // After rules are turned off or removed, all that are open are evaluated once more, for withdrawals.
    const isLeaving = !rules.for.includes(of)
    if (isLeaving && stored.rules?.for.includes(of) !== true && mark.openPage === undefined) continue
    try {
      lists[of] = await sweepList(context, { ...reading, of, every: reading.every || isLeaving }, mark)
    } catch (error) {
      // A project may have turned one of the two off: the other is swept. A 404 of merge requests is the project's.
      const isOfProject = of === 'merge requests' && (isNotFound(error) || !rules.for.includes('issues'))
      if (!isPermanentRefusal(error) || isOfProject) throw error
      failed.push(`Its ${of} cannot be listed: ${error.message}`)
    }
  }
  return { lists, failed }
}

/** Both halves of one list. */
async function sweepList(
  context: Context,
  { began, ...reading }: ListReading & { began: number },
  mark: ListMark,
): Promise<ListMark> {
  // Nothing can be listed: a mark made from nothing would show every issue as changed.
  if (reading.budget.left <= 0) return { ...mark, openPage: mark.openPage ?? 1 }
  const changes = await sweepChanges(context, reading, mark)
  const openPage = await sweepOpen(context, reading, mark)
  return { ...advanced(mark, changes, began), left: changes.left, openPage }
}

// For so long an unchanged record of the rule file shows whether rules are in force.
const rulesTrustedForMs = 6 * 60 * 60_000
const noRulesTrustedForMs = 24 * 60 * 60_000
/** Reading the rules of a project takes about so many calls. */
const callsForRules = 3

/** The lists that rules in force are for; undefined: the budget is used up. Throws as client, journal and queue do. */
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
  const trustedForMs = known?.for.length ? rulesTrustedForMs : noRulesTrustedForMs
  if (known !== undefined && now() - known.readAt < trustedForMs && known.version === (await version())) return known
  for (let call = 0; call < callsForRules; call += 1) if (!budget.take('call')) return undefined
  // Not stored as read: the first delivery must not rely on a record from before its rule file.
  if (basis === 'own_rules' && !(await hasOwnRules(client, project)))
    return { version: await version(), for: [], readAt: now() }
  const reported = path === undefined ? undefined : { path, at: new Date(now()).toISOString() }
  const inForce = await context.rules.inForce(project, { reported })
  // The hook of the push may be lost, and the operator's files and policy change without a hook.
  if (!dryRun) await enqueueOpen(context, project, inForce)
  const counting = inForce.files.filter(({ trust }) => basis !== 'own_rules' || trust === 'repository')
  const isFor = {
    'merge requests': counting.some(({ rules }) => rules.rules.some(({ subject }) => subject !== 'issue')),
    issues: hasRulesForIssues({ files: counting, policy: inForce.policy }),
  }
  const isOn = inForce.policy.mode !== 'off'
  return { version: await version(), for: listNames.filter((of) => isOn && isFor[of]), readAt: now() }
}

async function hasOwnRules(client: ReadingClient, project: number): Promise<boolean> {
  const branch = (await client.projects.get({ id: project })).body.default_branch ?? ''
  const head = branch === '' ? null : await headOf(client, project, branch)
  return head !== null && (await fileAt(client, project, repositoryRulePath, head)) !== null
}
