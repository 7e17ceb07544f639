// Cancels the pipelines of attempts that no build needs, and deletes their branches.
import { isPermanentRefusal } from '../service/retry-policy.ts'
import { closeDraft, pipelinesOf } from './draft-requests.ts'
import { GitError } from './git/run-git.ts'
import { readPipelines } from './observe.ts'
import { cancelPipeline } from './pipelines.ts'
import type { QueueRun } from './queue-run.ts'

/** Throws what the client throws, except if the service does not let the bot cancel. */
export async function cancel(run: QueueRun, attempt: number): Promise<void> {
  const { client, queue, prefix, claim, log } = run
  const branch = `${prefix}${attempt}`
  const commit = run.branches.get(attempt)
  if (commit === undefined) return
  await claim()
  try {
    const known = run.pipelines.get(attempt)
    const [pipeline] = known === undefined ? await pipelinesOf(run, [{ branch, commit }]) : [known]
    if (pipeline === undefined) return
    await cancelPipeline(client, queue.project, pipeline)
    run.pipelines.set(attempt, { ...pipeline, status: 'failed' })
  } catch (error) {
    if (!isPermanentRefusal(error)) throw error
    log.info({ event: 'queue_pipeline_not_canceled', branch, reason: error.message }, 'a pipeline was not canceled')
  }
}

/** Ends what these attempts run. Returns their branches, which may be deleted then. Throws what the client throws. */
export async function endAttempts(run: QueueRun, attempts: readonly number[]) {
  const branches = attempts.flatMap((number) => {
    const commit = run.branches.get(number)
    return commit === undefined ? [] : [{ number, branch: `${run.prefix}${number}`, commit }]
  })
  await readPipelines(run, branches)
  for (const { number, branch } of branches) {
    await cancel(run, number)
    // First: without its branch, nobody would find it.
    if (run.settings.pipelines === 'merge_request') await closeDraft(run, branch)
  }
  return branches
}

/** Throws what client and git throw, except if the service does not let the bot delete. */
export async function discard(run: QueueRun, attempts: readonly number[]): Promise<void> {
  const branches = await endAttempts(run, attempts)
  if (branches.length === 0) return
  try {
    await run.repository.deleteBranches(branches)
  } catch (error) {
    if (!(error instanceof GitError) || error.code !== 'refused') throw error
    const names = branches.map(({ branch }) => branch).join(', ')
    run.log.warn(
      { event: 'queue_branch_not_deleted', branch: names, reason: error.message },
      'a branch was not deleted',
    )
    for (const { number } of branches) run.found.set(number, { is: 'refused', words: error.stderr })
  }
}
