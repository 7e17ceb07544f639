// A push moves the merge requests of its branch, in the project and its fork ancestors.
import { sendMergeRequest } from '../hooks/merge-request.ts'
import type { Project, User } from '../records/records.ts'
import { now, type World } from '../storage/world.ts'
import { copyHead, descendsFrom } from './source.ts'
import { measure, noAutoMerge } from './status.ts'
import { recordVersion, resetApprovals } from './versions.ts'

/**
 * Called under the lock of the branch's project; takes the target's as well. A fork's lock always comes first, which
 * avoids deadlock.
 */
export async function followSource(
  world: World,
  project: Project,
  user: User,
  branch: string,
  sha: string,
): Promise<void> {
  for (const mr of world.mergeRequests.where('source', project.id)) {
    if (mr.source_branch !== branch || mr.state !== 'opened') continue
    if (mr.project_id === project.id) {
      await move(world, mr.id, user, sha)
      continue
    }
    const target = world.projects.get(mr.project_id)
    // Without the fork relation, the fork's pushes no longer count.
    if (target === undefined || !descendsFrom(world, project, target)) continue
    await world.serialise(`project ${target.id}`, () => move(world, mr.id, user, sha))
  }
}

async function move(world: World, id: number, user: User, sha: string) {
  const mr = world.mergeRequests.get(id)
  if (mr === undefined || mr.state !== 'opened' || mr.sha === sha) return
  await copyHead(world, mr, sha)
  const measured = await measure(world, { ...mr, sha })
  const moved = world.mergeRequests.update(mr.id, {
    ...measured,
    sha,
    merge_status: 'unchecked',
    merge_error: null,
    // Auto-merge was requested for the old head.
    ...noAutoMerge,
    updated_at: now(world),
  })
  await recordVersion(world, moved)
  await sendMergeRequest(world, moved, user, 'update', { oldrev: mr.sha })
  await resetApprovals(world, moved, user)
  await world.ci.moved(world, moved, user)
}
