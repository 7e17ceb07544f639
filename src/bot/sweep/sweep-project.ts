// Sweeps one project: what changed since the last sweep, and what waits on something that does not show.
import type { SweptProject } from '../../journal/types.ts'
import { refName } from '../../rules/explain/ref-name.ts'
import { enqueueEvaluation } from '../evaluation/merge-request-job.ts'
import type { CallBudget } from '../service/call-budget.ts'
import { isNotFound, isPermanentRefusal } from '../service/retry-policy.ts'
import { sweepChanges } from './changed-merge-requests.ts'
import type { ListedMergeRequest } from './list-pages.ts'
import { sweepOpen } from './open-merge-requests.ts'
import type { ProjectToSweep, SweepOptions } from './sweep-input.ts'
import { advanced, readMark, type SweepMark, saveMark } from './sweep-mark.ts'
import { rulesOf } from './sweep-rules.ts'

export interface SweepMode {
  /** All open merge requests: a person asked. */
  every: boolean
  /** Queues and stores nothing. */
  dryRun: boolean
}

// After what people wait for within a quarter of an hour, and after changes of the rules.
const priority = 100

/** Sweeps as far as the budget goes. A project that may not be read says why; throws what else the client throws. */
export async function sweepProject(
  options: SweepOptions,
  given: ProjectToSweep,
  { every, dryRun }: SweepMode,
  budget: CallBudget,
): Promise<SweptProject> {
  const { service, client, journal, now } = options
  const { project, path, enqueued, looked } = given
  const isBegun = looked.size > 0
  const swept: SweptProject = { project, ...(path === undefined ? {} : { path }), looked: 0, enqueued: [], left: false }
  const enqueue = async ({ iid }: ListedMergeRequest, why: SweptProject['enqueued'][number]['why']) => {
    if (iid === undefined || enqueued.has(iid)) return true
    if (!budget.take('evaluation')) return false
    enqueued.add(iid)
    swept.enqueued.push({ iid, why })
    const data = { service, project, iid }
    const name = refName({ project, iid, path })
    options.log.debug({ event: 'sweep_enqueued', mergeRequest: name, why, dryRun }, `sweep: ${why}`)
    if (!dryRun) await enqueueEvaluation(options.mergeRequests, data, priority)
    return true
  }
  try {
    const stored = given.mark ?? (await readMark(journal, service, project))
    // A person asked for all: another sweep's page would leave out those before it.
    const before: SweepMark = { ...stored, openPage: every && !isBegun ? undefined : stored.openPage }
    const began = now()
    const rules = await rulesOf(options, project, before, { ...given, dryRun }, budget)
    if (rules === undefined) return { ...swept, left: true }
    const save = async (mark: SweepMark) => {
      if (dryRun) given.mark = { ...mark, rules }
      else await saveMark(journal, service, project, { ...mark, rules, sweptAt: began })
    }
    // After rules are turned off or removed, every open merge request is evaluated once more, for withdrawals.
    const isLeaving = !rules.any && (stored.rules?.any === true || before.openPage !== undefined)
    if (!rules.any && !isLeaving) {
      await save(before)
      return { ...swept, skipped: 'no rules are in force' }
    }
    if (!dryRun && rules.any) await options.checkHook?.(given, budget)
    const where = { client, project, budget, looked }
    const changes = await sweepChanges(where, before, enqueue)
    const openPage = await sweepOpen({ ...where, service, journal, now, every: every || isLeaving, enqueue }, before)
    await save({ ...advanced(before, changes, began), left: changes.left, openPage })
    return { ...swept, looked: looked.size, left: changes.left !== undefined || openPage !== undefined }
  } catch (error) {
    if (!isPermanentRefusal(error)) throw error
    if (isNotFound(error) && !dryRun) await journal.forgetProject(service, project)
    return { ...swept, looked: looked.size, failed: error.message }
  }
}
