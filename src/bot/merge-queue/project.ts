// What the merge queue must know of a project.
import type { Client } from '../../client/create-client.ts'
import type { MergeQueueSettings, PauseReason } from '../../merge-queue/types.ts'

export type QueueProject = Awaited<ReturnType<Client['projects']['get']>>['body']

/** As it is now. Throws what the client throws. */
export async function readQueueProject(client: Client, id: number): Promise<QueueProject> {
  return (await client.projects.get({ id }, { bypassCache: true })).body
}

type Project = Pick<QueueProject, 'automatic_rebase_enabled' | 'merge_method' | 'merge_trains_enabled'>

/** Why it cannot have this merge queue; undefined where it can. */
export function unfitness(
  { automatic_rebase_enabled, merge_method, merge_trains_enabled }: Project,
  { land, test }: Pick<MergeQueueSettings, 'land' | 'test'>,
): PauseReason | undefined {
  const isLinear = merge_method !== undefined && merge_method !== 'merge'
  // The service would merge only what its author rebased, which is another head than the tested one.
  if (isLinear && test === 'branch' && land === 'accept') return 'merge_method'
  // Where the target moves in the last moment, the service would merge what nobody tested.
  if (isLinear && test === 'rebase' && automatic_rebase_enabled === true) return 'automatic_rebase'
  return merge_trains_enabled === true ? 'merge_trains' : undefined
}
