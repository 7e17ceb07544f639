// The head of a merge request's source branch, which may be of a fork that is gone (api-v4.md §2.4).
import { branchHead } from '../git/refs.ts'
import type { MergeRequest } from '../records.ts'
import type { World } from '../world.ts'

/** The head of the source branch; undefined when the branch or its project is gone. */
export async function sourceHead(
  world: World,
  { source_project_id, source_branch }: Pick<MergeRequest, 'source_project_id' | 'source_branch'>,
): Promise<string | undefined> {
  const isGone = (): boolean => world.projects.get(source_project_id) === undefined
  if (isGone()) return undefined
  try {
    return await branchHead(world, source_project_id, source_branch)
  } catch (error) {
    // A fork may be removed while its target is worked on.
    if (isGone()) return undefined
    throw error
  }
}
