// A push moves the merge requests of its branch, in the project and its fork ancestors.
import { announcedHead, noCommit } from '../git/refs.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { isPremium } from '../installation.ts'
import type { MergeRequest, Project, User } from '../records/records.ts'
import { nextNumber, now, projectById, type World } from '../storage/world.ts'
import { copyHead, descendsFrom } from './find.ts'
import { losesApproval, measure, noAutoMerge } from './status.ts'

/**
 * Called under the lock of the branch's project; takes the target's as well. A fork's lock always comes first, which
 * avoids deadlock.
 */
export async function followSource(world: World, project: Project, user: User, branch: string, sha: string) {
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

/** Records a new version when head or base differ from the last one. */
export async function recordVersion(world: World, mr: MergeRequest): Promise<void> {
  // Unrelated histories have no base, but the field is a string.
  const base = mr.base_sha ?? noCommit
  const last = world.diffVersions.where('mergeRequest', mr.id).at(-1)
  if (last?.head_commit_sha === mr.sha && last.base_commit_sha === base) return
  const target = announcedHead(world, mr.project_id, mr.target_branch)
  world.diffVersions.add({
    id: nextNumber(world, 'diff versions'),
    merge_request_id: mr.id,
    head_commit_sha: mr.sha,
    base_commit_sha: base,
    start_commit_sha: target ?? base,
    created_at: now(world),
    real_size: mr.changes_count,
  })
}

/** Called after the head moved. `pusher`: the user of the event. */
async function resetApprovals(world: World, mr: MergeRequest, pusher: User): Promise<void> {
  const { reset_approvals_on_push } = projectById(world, mr.project_id)
  if (!isPremium(world) || !reset_approvals_on_push || mr.approved_by.length === 0) return
  if (mr.rebase_commit_sha === mr.sha) return
  const reset = world.mergeRequests.update(mr.id, { approved_by: [] })
  const action = losesApproval(world, mr, reset) ? 'unapproved' : 'unapproval'
  await sendMergeRequest(world, reset, pusher, action, { systemAction: 'approvals_reset_on_push' })
}
