// What the merge queue must know of a project.
import type { PipelineStatus } from '../../merge-queue/observed.ts'
import type { MergeQueueSettings, PauseReason } from '../../merge-queue/types.ts'
import { bodyOf } from '../../rules/facts/definition/source.ts'
import { sources } from '../../rules/facts/definition/sources.ts'
import type { QueueProject, QueueRun } from './queue-run.ts'

/** Reads the project as it is now, and caches it for evaluations. Throws what the client throws. */
export async function readQueueProject({ client, queue, service }: QueueRun): Promise<QueueProject> {
  const { body } = await client.projects.get({ id: queue.project }, { bypassCache: true })
  service.answers.storeProject(queue.project, { ok: true, body, complete: true })
  return body
}

/**
 * As it was read last, which is enough for a build: before a landing it is read again. One that cannot have a merge
 * queue is read again too. Throws what the client throws.
 */
export async function knownQueueProject(run: QueueRun): Promise<QueueProject> {
  const { queue, service, settings } = run
  const known = bodyOf(sources.project, service.answers.project(queue))
  return known === undefined || unfitness(known, settings) !== undefined ? readQueueProject(run) : known
}

/** Whether a skipped pipeline counts as a green one. Fails closed if the project was not read. */
export const takesSkipped = ({ project }: { project?: Pick<QueueProject, 'allow_merge_on_skipped_pipeline'> }) =>
  project?.allow_merge_on_skipped_pipeline === true

/** A skipped one is green if the project says so. Throws what the client throws. */
export async function withSkipped<P extends { status: PipelineStatus }>(run: QueueRun, pipeline: P): Promise<P> {
  if (pipeline.status !== 'skipped') return pipeline
  run.project ??= await knownQueueProject(run)
  return takesSkipped(run) ? { ...pipeline, status: 'success' } : pipeline
}

type Project = Pick<QueueProject, 'automatic_rebase_enabled' | 'merge_method' | 'merge_trains_enabled'>

/** Why it cannot have this merge queue; undefined if it can. */
export function unfitness(
  { automatic_rebase_enabled, merge_method, merge_trains_enabled }: Project,
  { land, test }: Pick<MergeQueueSettings, 'land' | 'test'>,
): PauseReason | undefined {
  const isLinear = merge_method !== undefined && merge_method !== 'merge'
  // The service would merge only what its author rebased, which is another head than the tested one.
  if (isLinear && test === 'branch' && land !== 'push') return 'merge_method'
  // Where the target moves in the last moment, the service would merge what nobody tested.
  if (isLinear && test !== 'branch' && automatic_rebase_enabled === true) return 'automatic_rebase'
  return merge_trains_enabled === true ? 'merge_trains' : undefined
}
