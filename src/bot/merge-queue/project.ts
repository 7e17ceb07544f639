// What the merge queue must know of a project.
import type { Client } from '../../client/create-client.ts'
import type { PauseReason } from '../../merge-queue/types.ts'

export type QueueProject = Awaited<ReturnType<Client['projects']['get']>>['body']

/** As it is now. Throws what the client throws. */
export async function readQueueProject(client: Client, id: number): Promise<QueueProject> {
  return (await client.projects.get({ id }, { bypassCache: true })).body
}

/** Why it cannot have a merge queue; undefined where it can. */
export function unfitness({ merge_method, merge_trains_enabled }: QueueProject): PauseReason | undefined {
  // Another method would land another commit than the one whose parents are expected.
  if (merge_method !== undefined && merge_method !== 'merge') return 'merge_method'
  return merge_trains_enabled === true ? 'merge_trains' : undefined
}
