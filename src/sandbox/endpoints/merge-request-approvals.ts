// Approvals of merge requests (api-v4.md §2.6, §4.2).
import type { Api } from '../../api/index.ts'
import { refuseArchived } from '../access/access.ts'
import { showApprovals } from '../approvals/show.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { notFound, refuse, unauthorized } from '../http/error-response.ts'
import type { Handlers } from '../http/handler.ts'
import { findMergeRequest } from '../merge-requests/find.ts'
import { mayApprove } from '../merge-requests/preconditions.ts'
import { approvalsLeft, losesApproval } from '../merge-requests/status.ts'
import { retryAutoMerge } from '../merging/merge-waiting.ts'
import { now } from '../storage/world.ts'

export const approvals: Handlers<Pick<Api['mergeRequests'], 'approvals' | 'approve' | 'unapprove'>> = {
  approvals: ({ params, caller, world }) => showApprovals(world, findMergeRequest(world, caller, params).mr, caller),

  async approve({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    if (!mayApprove(world, mr, caller)) throw unauthorized()
    if (params.sha !== undefined && params.sha !== mr.sha) {
      throw refuse(409, `SHA does not match HEAD of source branch: ${mr.sha}`)
    }
    const approved = world.mergeRequests.update(mr.id, {
      approved_by: [...mr.approved_by, caller.id],
      updated_at: now(world),
    })
    // `approval`: more are required; `approved`: the requirement is met, or there is none (hosting-service.md §2.2).
    await sendMergeRequest(world, approved, caller, approvalsLeft(world, approved) === 0 ? 'approved' : 'approval')
    retryAutoMerge(world, approved)
    return showApprovals(world, approved, caller)
  },

  async unapprove({ params, caller, world }) {
    const { project, mr } = findMergeRequest(world, caller, params)
    if (!mr.approved_by.includes(caller.id) || mr.state === 'merged') throw notFound()
    refuseArchived(project)
    const left = mr.approved_by.filter((id) => id !== caller.id)
    const unapproved = world.mergeRequests.update(mr.id, { approved_by: left, updated_at: now(world) })
    const action = losesApproval(world, mr, unapproved) ? 'unapproved' : 'unapproval'
    await sendMergeRequest(world, unapproved, caller, action)
    return showApprovals(world, unapproved, caller)
  },
}
