// Sweeps one project: what changed since the last sweep, and what waits on something that does not show.
import type { SweptProject } from '../journal/types.ts'
import type { Budget } from './budget.ts'
import { keyOf } from './merge-request-job.ts'
import { isAbsentForGood, isNotFound } from './outcome.ts'
import { sweepChanges } from './sweep-changed.ts'
import type { ProjectToSweep, SweepOptions } from './sweep-input.ts'
import { advanced, readMark, type SweepMark, saveMark } from './sweep-mark.ts'
import { sweepOpen } from './sweep-open.ts'
import { rulesOf } from './sweep-rules.ts'
import type { Listed } from './sweep-walk.ts'

export interface HowToSweep {
  /** Every open merge request, because a person asked. */
  every: boolean
  /** Nothing is woken and nothing remembered. */
  dryRun: boolean
}

// Behind whatever somebody waits for within a quarter of an hour, and behind a change of the rules.
const priority = 100

/** Sweeps a project as far as the budget goes. A project that may not be read says why; anything else that the client throws is thrown. */
export async function sweepProject(
  options: SweepOptions,
  given: ProjectToSweep,
  { every, dryRun }: HowToSweep,
  budget: Budget,
): Promise<SweptProject> {
  const { service, client, journal, now } = options
  const { project, path, woken, looked } = given
  const isBegun = looked.size > 0
  const swept: SweptProject = { project, ...(path === undefined ? {} : { path }), looked: 0, woken: [], left: false }
  const wake = async ({ iid }: Listed, why: SweptProject['woken'][number]['why']) => {
    if (iid === undefined || woken.has(iid)) return true
    if (!budget.take('wake')) return false
    woken.add(iid)
    swept.woken.push({ iid, why })
    const data = { service, project, iid }
    options.log.debug({ event: 'swept awake', mergeRequest: keyOf(data), why, dryRun }, `sweep: ${why}`)
    if (!dryRun) await options.mergeRequests.add({ data, oneAtATime: keyOf(data), priority })
    return true
  }
  try {
    const { openPage: goOn, ...kept } = given.mark ?? (await readMark(journal, service, project))
    // Another sweep's page to go on with would leave out those before it, and a person asked for all.
    const before: SweepMark = { ...kept, ...(goOn === undefined || (every && !isBegun) ? {} : { openPage: goOn }) }
    const began = now()
    const rules = await rulesOf(options, project, before, { ...given, dryRun }, budget)
    if (rules === undefined) return { ...swept, left: true }
    const save = async (mark: SweepMark) => {
      if (dryRun) given.mark = { ...mark, rules }
      else await saveMark(journal, service, project, { ...mark, rules, sweptAt: began })
    }
    // Rules that were turned off or removed leave approvals and waiting merges to take back: every open merge request is judged once more.
    const isLeaving = !rules.any && (kept.rules?.any === true || before.openPage !== undefined)
    if (!rules.any && !isLeaving) {
      await save(before)
      return { ...swept, skipped: 'no rules are in force' }
    }
    if (!dryRun && rules.any) await options.lookAtHook?.(given, budget)
    const where = { client, project, budget, looked }
    const changes = await sweepChanges(where, before, wake)
    const { left: _left, openPage: _page, ...known } = advanced(before, changes, began)
    const openPage = await sweepOpen({ ...where, service, journal, now, every: every || isLeaving, wake }, before)
    await save({ ...known, ...(changes.left === undefined ? {} : { left: changes.left }), ...(openPage === undefined ? {} : { openPage }) })
    return { ...swept, looked: looked.size, left: changes.left !== undefined || openPage !== undefined }
  } catch (error) {
    if (!isAbsentForGood(error)) throw error
    // Until a delivery names it again.
    if (isNotFound(error) && !dryRun) await journal.forgetProject(service, project)
    return { ...swept, looked: looked.size, failed: error.message }
  }
}
