// What the merge queue must know of a project.
import type { Client } from '../../client/create-client.ts'
import type { PauseReason } from '../../merge-queue/types.ts'
import { bodyOf } from '../../rules/facts/definition/source.ts'
import { sources } from '../../rules/facts/definition/sources.ts'
import type { QueueRun } from './queue-run.ts'

export type QueueProject = Awaited<ReturnType<Client['projects']['get']>>['body']

/** As it is now, and kept for evaluations. Throws what the client throws. */
export async function readQueueProject({ client, queue, landingCheck }: ProjectReading): Promise<QueueProject> {
  const { body } = await client.projects.get({ id: queue.project }, { bypassCache: true })
  landingCheck.kept.keep({ ...queue, iid: 0 }, sources.project.name, { ok: true, body, complete: true })
  return body
}

type ProjectReading = Pick<QueueRun, 'client' | 'queue' | 'landingCheck'>

/**
 * As it was read last, which is enough for a build: before a landing it is read again. One that cannot have a merge
 * queue is read again too. Throws what the client throws.
 */
export async function knownQueueProject(reading: ProjectReading): Promise<QueueProject> {
  const { queue, landingCheck } = reading
  const known = bodyOf(sources.project, landingCheck.kept.project({ ...queue, iid: 0 }))
  return known === undefined || unfitness(known) !== undefined ? readQueueProject(reading) : known
}

/** Why it cannot have a merge queue; undefined where it can. */
export function unfitness({ merge_method, merge_trains_enabled }: QueueProject): PauseReason | undefined {
  // Another method would land another commit than the one whose parents are expected.
  if (merge_method !== undefined && merge_method !== 'merge') return 'merge_method'
  return merge_trains_enabled === true ? 'merge_trains' : undefined
}
