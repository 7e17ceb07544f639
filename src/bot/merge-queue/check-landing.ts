// Checks a landing just before it is stored: the pipeline once more, and the rules on fresh facts.
import type { EntryRef, MergeQueueRecord } from '../../merge-queue/types.ts'
import { requestedLanding } from './may-land.ts'
import { isStillGreen } from './pipelines.ts'
import { readQueueProject, takesSkipped } from './project.ts'
import { evaluate, type QueueRun } from './queue-run.ts'

/** `changed`: the pipeline is not what was observed. `held`: the rules do not request it as it is. */
export type LandingVerdict = 'lands' | 'changed' | 'held'

/** When to ask again about a landing that the rules hold back. */
const heldForMs = 60_000

/** Throws what client, journal and queue throw. */
export async function checkLanding(
  run: QueueRun,
  { builds }: Pick<MergeQueueRecord, 'builds'>,
  members: readonly EntryRef[],
): Promise<LandingVerdict> {
  const { project } = run.queue
  const attempts = builds[0]?.attempts.map(({ number }) => number) ?? []
  // With `test: rebase`, the rules read the pipeline.
  if (run.settings.test === 'branch' && !(await hasGreenPipeline(run, attempts))) return 'changed'
  const present = run.project ?? (await readQueueProject(run))
  const checked = await Promise.all(
    members.map(({ iid, head }) => requestedLanding(run, { project, iid }, head, present)),
  )
  const held = members.filter((_, index) => checked[index] === undefined)
  for (const { iid } of held) await evaluate(run, iid)
  run.checked = checked.filter((each) => each !== undefined)
  if (held.length === 0) return 'lands'
  run.waitMs = heldForMs
  return 'held'
}

/** Read again by its id: it may run once more, or be canceled. */
async function hasGreenPipeline(run: QueueRun, attempts: readonly number[]): Promise<boolean> {
  for (const number of attempts) {
    const pipeline = run.pipelines.get(number)
    if (pipeline?.id === undefined || pipeline.status !== 'success') continue
    if (await isStillGreen(run.client, run.queue.project, { id: pipeline.id, takesSkipped: takesSkipped(run) }))
      return true
    run.pipelines.delete(number)
  }
  return false
}
