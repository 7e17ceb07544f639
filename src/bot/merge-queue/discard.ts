// Deletes the branch of an attempt that no build needs, and cancels its pipeline.
import { isPermanentRefusal } from '../service/retry-policy.ts'
import { closeDraft, pipelinesOf } from './draft-requests.ts'
import { cancelPipeline } from './pipelines.ts'
import type { QueueRun } from './queue-run.ts'

/** Throws what client and git throw, except where the service does not let the bot cancel. */
export async function discard(run: QueueRun, attempt: number): Promise<void> {
  const { client, queue, repository, prefix, claim, log } = run
  const branch = `${prefix}${attempt}`
  const commit = run.branches.get(attempt)
  if (commit === undefined) return
  await claim()
  try {
    const known = run.pipelines.get(attempt)
    const pipelines = known === undefined ? await pipelinesOf(run, [{ branch, commit }]) : [known]
    for (const pipeline of pipelines) await cancelPipeline(client, queue.project, pipeline)
  } catch (error) {
    if (!isPermanentRefusal(error)) throw error
    log.info({ event: 'queue_pipeline_not_canceled', branch, reason: error.message }, 'a pipeline was not canceled')
  }
  // First: without its branch, nobody would find it.
  if (run.settings.pipelines === 'merge_request') await closeDraft(run, branch)
  await repository.deleteBranch(branch, commit)
}
