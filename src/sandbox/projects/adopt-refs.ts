// Records the refs of an import or a fork, without hooks (api-v4.md §3.5).
import { readRefs, settleHead } from '../git/refs.ts'
import { now, projectById, type World } from '../storage/world.ts'

/** Called under the project's lock. */
export async function adoptRefs(world: World, projectId: number): Promise<void> {
  const refs = await readRefs(world, projectId)
  const default_branch = await settleHead(world, projectById(world, projectId), Object.keys(refs))
  world.projects.update(projectId, { known_refs: refs, default_branch, last_activity_at: now(world) })
}
