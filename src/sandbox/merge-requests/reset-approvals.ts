// A push takes approvals back where the project says so, but for a rebase by the service (hosting-service.md §2.2).
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { isPremium } from '../installation.ts'
import type { MergeRequest, User } from '../records/records.ts'
import { projectById, type World } from '../storage/world.ts'
import { losesApproval } from './status.ts'

/** Called after the head moved. `pusher`: the user of the event. */
export async function resetApprovals(world: World, mr: MergeRequest, pusher: User): Promise<void> {
  const { reset_approvals_on_push } = projectById(world, mr.project_id)
  if (!isPremium(world) || !reset_approvals_on_push || mr.approved_by.length === 0) return
  if (mr.rebase_commit_sha === mr.sha) return
  const reset = world.mergeRequests.update(mr.id, { approved_by: [] })
  const action = losesApproval(world, mr, reset) ? 'unapproved' : 'unapproval'
  await sendMergeRequest(world, reset, pusher, action, { systemAction: 'approvals_reset_on_push' })
}
