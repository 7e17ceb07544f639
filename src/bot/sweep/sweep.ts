// Sweep: repairs lost hooks in all known projects, within a budget of calls.
import type { SweepRecord, SweptProject } from '../../journal/types.ts'
import type { Context } from '../context.ts'
import { type CallBudget, createCallBudget } from '../service/call-budget.ts'
import type { ProjectToSweep } from './sweep-mark.ts'
import { type SweepMode, sweepProject } from './sweep-project.ts'
import { projectsNamed, projectsToSweep } from './sweep-projects.ts'

// The least for a project: with less it would be cut before it queues anything.
const leastShare = 10
/** A requested sweep is completed. */
const callsOnRequest = 10_000

/**
 * Sweeps every known project, longest unswept first, except those swept since `askedAt`. `left`: how many were not
 * swept, or not to the end. Throws what client, journal and queue throw.
 */
export async function sweepAll(context: Context, askedAt: number) {
  const budget = createCallBudget(context.operator.sweep.calls)
  const { delivering, memberOnly } = await projectsToSweep(context, askedAt, budget)
  const mode: SweepMode = { every: false, dryRun: false }
  const forMembers = memberOnly.length === 0 ? 0 : Math.ceil(budget.left / 4)
  const first = await sweepInRounds(context, delivering, mode, budget.part(budget.left - forMembers))
  const second = await sweepInRounds(context, memberOnly, mode, budget)
  return {
    projects: [...first.projects, ...second.projects],
    left: first.left + second.left,
    calls: budget.calls,
    budgetLeft: budget.left,
  }
}

/**
 * Sweeps what a person named: every open merge request, and what changed. Calls `report` after each project; skips
 * those that `record` has. Throws NothingToSweep as well.
 */
export async function sweepNamed(
  context: Context,
  record: SweepRecord,
  report: (record: SweepRecord) => Promise<void>,
): Promise<SweepRecord> {
  const budget = createCallBudget(callsOnRequest)
  // Finding projects must leave enough to sweep them.
  const { projects: all, complete } = await projectsNamed(context, record.of, budget.part(budget.left / 2))
  let now: SweepRecord = { ...record, projectsInAll: all.length, ...(complete ? {} : { notAllFound: true }) }
  const done = new Set(record.projects.map(({ project }) => project))
  const { projects } = await sweepInRounds(
    context,
    all.filter(({ project }) => !done.has(project)),
    { every: true, dryRun: record.dryRun },
    budget,
    async (swept) => {
      now = { ...now, projects: [...now.projects, swept], calls: record.calls + budget.calls }
      await report(now)
    },
  )
  return { ...now, projects: [...record.projects, ...projects], calls: record.calls + budget.calls }
}

/** Each gets a share of the budget; those that were cut get another share of what the others did not need. */
async function sweepInRounds(
  context: Context,
  projects: readonly ProjectToSweep[],
  mode: SweepMode,
  budget: CallBudget,
  report: (swept: SweptProject) => Promise<void> = async () => undefined,
): Promise<{ projects: SweptProject[]; left: number }> {
  const swept = new Map<number, SweptProject>()
  let round = projects
  while (round.length > 0 && budget.left >= leastShare) {
    const next: ProjectToSweep[] = []
    for (const [at, each] of round.entries()) {
      const share = Math.max(leastShare, Math.floor(budget.left / (round.length - at)))
      const before = swept.get(each.project)
      const now = budget.left < leastShare ? undefined : await sweepProject(context, each, mode, budget.part(share))
      if (now !== undefined)
        swept.set(
          each.project,
          before === undefined ? now : { ...now, enqueued: [...before.enqueued, ...now.enqueued] },
        )
      if (now === undefined || now.left) next.push(each)
      else await report(swept.get(each.project) as SweptProject)
    }
    round = next
  }
  for (const { project } of round) {
    const cut = swept.get(project)
    if (cut !== undefined) await report(cut)
  }
  return { projects: [...swept.values()], left: round.length }
}
