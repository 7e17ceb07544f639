// Removes the source branch after a merge, on request.
import { developer, projectLevel } from '../access/access.ts'
import { noCommit } from '../git/names.ts'
import { moveRef } from '../git/refs.ts'
import { announceRefs } from '../pushes/follow-pushes.ts'
import { protectionsOf } from '../pushes/protected-branches.ts'
import type { MergeRequest, User } from '../records/records.ts'
import { userById, type World } from '../storage/world.ts'

/**
 * Called under the target's lock, before its refs are announced; a fork's branch goes later, under the fork's lock. The
 * user who requested the removal must be allowed to push there.
 */
export async function removeSourceBranch(world: World, mr: MergeRequest, merger: User): Promise<void> {
  if (!(mr.should_remove_source_branch ?? mr.force_remove_source_branch)) return
  if (mr.source_project_id === mr.project_id) {
    await remove(world, mr)
    return
  }
  const user = mr.should_remove_source_branch === true ? merger : userById(world, mr.author_id)
  world.background(`project ${mr.source_project_id}`, async (ownWorld) => {
    const fork = ownWorld.projects.get(mr.source_project_id)
    if (fork === undefined || fork.archived || projectLevel(ownWorld, user, fork) < developer) return
    await remove(ownWorld, mr)
    await announceRefs(ownWorld, fork.id, user, [`refs/heads/${mr.source_branch}`])
  })
}

async function remove(world: World, mr: MergeRequest) {
  const source = world.projects.get(mr.source_project_id)
  if (source === undefined || mr.source_branch === source.default_branch) return
  // GitLab does not remove a protected source branch.
  if (protectionsOf(world, source, mr.source_branch).length > 0) return
  // Fails after a new push: then the branch stays.
  await moveRef(world, mr.source_project_id, `refs/heads/${mr.source_branch}`, mr.sha, noCommit)
}
