// What a new head brings: a diff version, and approvals that are taken back.
import { noCommit } from '../git/names.ts'
import { announcedHead } from '../git/refs.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { isPremium } from '../installation.ts'
import type { MergeRequest, User } from '../records/records.ts'
import { nextNumber, now, projectById, type World } from '../storage/world.ts'
import { losesApproval } from './status.ts'

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
export async function resetApprovals(world: World, mr: MergeRequest, pusher: User): Promise<void> {
  const { reset_approvals_on_push } = projectById(world, mr.project_id)
  if (!isPremium(world) || !reset_approvals_on_push || mr.approved_by.length === 0) return
  if (mr.rebase_commit_sha === mr.sha) return
  const reset = world.mergeRequests.update(mr.id, { approved_by: [] })
  const action = losesApproval(world, mr, reset) ? 'unapproved' : 'unapproval'
  await sendMergeRequest(world, reset, pusher, action, { systemAction: 'approvals_reset_on_push' })
}
