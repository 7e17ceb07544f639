// A push moves the merge requests that come from its branch, in the project and in those that it was forked from (api-v4.md §4.2).
import { sendMergeRequest } from '../hooks/merge-request.ts'
import type { Project, User } from '../records.ts'
import { now, type World } from '../world.ts'
import { descendsFrom, takeHead } from './source.ts'
import { measure } from './status.ts'
import { recordVersion } from './versions.ts'

/**
 * The merge requests that come from this branch move along with it. Called under the lock of the branch's project; those in projects that it
 * was forked from are moved under theirs. A fork's lock is always taken first, so that no two tasks wait for each other.
 */
export async function followSource(world: World, project: Project, user: User, branch: string, sha: string): Promise<void> {
  for (const mr of world.mergeRequests.where('source', project.id)) {
    if (mr.source_branch !== branch || mr.state !== 'opened') continue
    if (mr.project_id === project.id) {
      await move(world, mr.id, user, sha)
      continue
    }
    const target = world.projects.get(mr.project_id)
    // Once the relation is gone the fork's pushes are nothing to the target.
    if (target === undefined || !descendsFrom(world, project, target)) continue
    await world.serialise(`project ${target.id}`, () => move(world, mr.id, user, sha))
  }
}

async function move(world: World, id: number, user: User, sha: string): Promise<void> {
  const mr = world.mergeRequests.get(id)
  if (mr === undefined || mr.state !== 'opened' || mr.sha === sha) return
  await takeHead(world, mr, sha)
  const measured = await measure(world, { ...mr, sha })
  const moved = world.mergeRequests.update(mr.id, {
    ...measured,
    sha,
    merge_status: 'unchecked',
    // A pending merge was asked for the head that is gone.
    merge_when_pipeline_succeeds: false,
    auto_merge: null,
    should_remove_source_branch: null,
    updated_at: now(world),
  })
  await recordVersion(world, moved)
  await sendMergeRequest(world, moved, user, 'update', { oldrev: mr.sha })
}
