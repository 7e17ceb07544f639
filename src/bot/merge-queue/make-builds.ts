// Makes the builds that a plan wants, each on the one before it, with one fetch and one push for all.

import type { Observed } from '../../merge-queue/observed.ts'
import { plan } from '../../merge-queue/plan.ts'
import type { MergeQueuePlan } from '../../merge-queue/types.ts'
import { type BuildStep, buildBranch, pushBranches } from './build-branch.ts'
import type { BranchHead } from './git/repository.ts'
import { keepBuild, type QueueRun } from './queue-run.ts'
import { rebaseEntry } from './rebase-entry.ts'

/**
 * Makes the builds of a plan that is stored, and of those behind them that it has: the plan says what is built on what
 * is made. Deletes what it discards in the same push. Throws what client, git, journal and queue throw.
 */
export async function makeBuilds(run: QueueRun, { record, steps }: MergeQueuePlan, observed: Observed): Promise<void> {
  const { settings, repository, now } = run
  const unmade = record.builds.filter(({ commit }) => commit === undefined)
  const unfetched = unmade.flatMap(({ members }) => members)
  if (settings.test === 'branch' && unfetched.length > 1) await repository.fetchHeads(unfetched)
  const attempts = new Map(observed.attempts)
  // What is not stored yet is built in the next round.
  const left = new Set(record.builds.flatMap((build) => build.attempts.map(({ number }) => number)))
  const made: { step: BuildStep; built: BranchHead }[] = []
  for (;;) {
    const next = plan(record, { ...observed, attempts }, settings, now()).steps
    const step = next.find((each) => each.do === 'build' && left.has(each.attempt))
    if (step?.do !== 'build') break
    left.delete(step.attempt)
    run.log.info({ event: 'merge_queue_step', ...step }, 'merge queue: build')
    const built = settings.test === 'branch' ? await buildBranch(run, step) : await rebaseEntry(run, step)
    attempts.set(step.attempt, 'is' in built ? built : { is: 'made', pipeline: 'none', ...built })
    if ('is' in built || built.own || settings.test !== 'branch') keepBuild(run, step.attempt, built)
    else made.push({ step, built })
  }
  const discards = steps.flatMap((step) => (step.do === 'discard' ? step.attempts : []))
  if (made.length > 0) await pushBranches(run, made, discards)
}
