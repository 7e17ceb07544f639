// Approvals of merge requests.
import type { z } from 'zod'
import type { Api } from '../../api/index.ts'
import type { approvals as schema } from '../../api/schemas/merge-request.ts'
import { refuseArchived } from '../access/access.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { notFound, refuse, unauthorized } from '../http/error-response.ts'
import type { Handlers } from '../http/handler.ts'
import { isPremium } from '../installation.ts'
import { findMergeRequest } from '../merge-requests/find.ts'
import { mayApprove } from '../merge-requests/preconditions.ts'
import { approvalsLeft, approvalsRequired, losesApproval } from '../merge-requests/status.ts'
import { retryAutoMerge } from '../merging/merge-waiting.ts'
import { pick } from '../records/fields.ts'
import type { MergeRequest, User } from '../records/records.ts'
import { showUserById } from '../records/show-records.ts'
import { now, type World } from '../storage/world.ts'

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
    // `approval`: more are required; `approved`: the requirement is met, or there is none.
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

/** Free: the approvals alone, and `approved` after one. Premium: both names of what is missing. */
function showApprovals(world: World, mr: MergeRequest, caller: User): z.output<typeof schema> {
  const given = {
    approved_by: mr.approved_by.map((id) => ({ user: showUserById(world, id) })),
    user_has_approved: mr.approved_by.includes(caller.id),
    user_can_approve: mayApprove(world, mr, caller),
  }
  if (!isPremium(world)) return { ...given, approved: mr.approved_by.length > 0 }
  const left = approvalsLeft(world, mr)
  return {
    ...pick(mr, 'id', 'iid', 'project_id', 'title', 'description', 'state', 'merge_status', 'created_at', 'updated_at'),
    approvals_required: approvalsRequired(world, mr),
    approvals_missing: left,
    approvals_left: left,
    approved: left === 0,
    ...given,
  }
}
