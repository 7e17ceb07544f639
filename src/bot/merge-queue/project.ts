// What the merge queue must know of a project.
import type { Client } from '../../client/create-client.ts'
import type { MergeQueueSettings, PauseReason } from '../../merge-queue/types.ts'

export type QueueProject = Awaited<ReturnType<Client['projects']['get']>>['body']

/** As it is now. Throws what the client throws. */
export async function readQueueProject(client: Client, id: number): Promise<QueueProject> {
  return (await client.projects.get({ id }, { bypassCache: true })).body
}

type Project = Pick<QueueProject, 'merge_method' | 'merge_trains_enabled'>

/** Why it cannot have this merge queue; undefined where it can. */
export function unfitness(
  { merge_method, merge_trains_enabled }: Project,
  { land }: Pick<MergeQueueSettings, 'land'>,
): PauseReason | undefined {
  // The service would merge only what its author rebased, which is another head than the tested one.
  if (land === 'accept' && merge_method !== undefined && merge_method !== 'merge') return 'merge_method'
  return merge_trains_enabled === true ? 'merge_trains' : undefined
}
