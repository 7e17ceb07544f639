// Approves, blocks and accepts a merge request, also by a merge train, cancels auto-merge, rebases.
import type { Api } from '../../api/index.ts'
import { canReadCode, developer, projectLevel, refuseArchived, visibleProject } from '../access/access.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { forbidden, notFound, orNotFound, refuse, unauthorized } from '../http/error-response.ts'
import { type Asked, type Handlers, on, pageOf, StatusResponse } from '../http/handler.ts'
import { isPremium, premium } from '../installation.ts'
import { canReadMergeRequest, type MergeRequestPath, mergeRequestAt } from '../merge-requests/find.ts'
import { mayApprove } from '../merge-requests/preconditions.ts'
import { startRebase } from '../merge-requests/rebase.ts'
import { showMergeRequest, showTrainCar } from '../merge-requests/show.ts'
import { approvalsLeft, approvalsRequired, losesApproval, mergeRequestUrl } from '../merge-requests/status.ts'
import { accept, cancelAutoMerge } from '../merging/accept.ts'
import { acceptByTrain, addToTrain, retryTrain } from '../merging/merge-train.ts'
import { retryAutoMerge, retryBlocked } from '../merging/merge-waiting.ts'
import { trainOf } from '../merging/run-train.ts'
import { noteDown } from '../notes/write.ts'
import { pick } from '../records/fields.ts'
import type { MergeRequest, MergeRequestBlock, User } from '../records/records.ts'
import { showUserById } from '../records/show-records.ts'
import { nextNumber, now, projectById, type World } from '../storage/world.ts'

export const approvals: Handlers<Pick<Api['mergeRequests'], 'approvals' | 'approve' | 'unapprove'>> = {
  approvals: on(mergeRequestAt, ({ mr, caller, world }) => showApprovals(world, mr, caller)),

  approve: on(mergeRequestAt, async ({ mr, params, caller, world }) => {
    if (!mayApprove(world, mr, caller)) throw unauthorized()
    if (params.sha !== undefined && params.sha !== mr.sha) {
      throw refuse(409, `SHA does not match HEAD of source branch: ${mr.sha}`)
    }
    const approved = world.mergeRequests.update(mr.id, {
      approved_by: [...mr.approved_by, caller.id],
      updated_at: now(world),
    })
    noteDown(world, approved, caller, 'approved this merge request')
    // `approval`: more are required; `approved`: the requirement is met, or there is none.
    await sendMergeRequest(world, approved, caller, approvalsLeft(world, approved) === 0 ? 'approved' : 'approval')
    retryAutoMerge(world, approved)
    return showApprovals(world, approved, caller)
  }),

  unapprove: on(mergeRequestAt, async ({ project, mr, caller, world }) => {
    if (!mr.approved_by.includes(caller.id) || mr.state === 'merged') throw notFound()
    refuseArchived(project)
    const left = mr.approved_by.filter((id) => id !== caller.id)
    const unapproved = world.mergeRequests.update(mr.id, { approved_by: left, updated_at: now(world) })
    noteDown(world, unapproved, caller, 'unapproved this merge request')
    const action = losesApproval(world, mr, unapproved) ? 'unapproved' : 'unapproval'
    await sendMergeRequest(world, unapproved, caller, action)
    return showApprovals(world, unapproved, caller)
  }),
}

/** Free: the approvals alone, and `approved` after one. Premium: both names of what is missing. */
function showApprovals(world: World, mr: MergeRequest, caller: User) {
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

export const blocks: Handlers<Api['mergeRequests']['blocks']> = {
  list: on(premium(mergeRequestAt), ({ mr, params, caller, world }) => {
    const listed = world.blocks.where('mergeRequest', mr.id).filter((each) => world.mergeRequests.get(each.blocking_id))
    return pageOf(listed, params, (each) => showBlock(world, each, mr, caller))
  }),

  create: on(premium(mergeRequestAt), ({ project, mr, params, caller, world }) => {
    if (mr.author_id !== caller.id && projectLevel(world, caller, project) < developer) throw forbidden()
    const blocking = world.mergeRequests.get(params.blocking_merge_request_id)
    if (blocking === undefined || !canReadMergeRequest(world, caller, blocking))
      throw notFound('Blocking merge request')
    const present = world.blocks.where('mergeRequest', mr.id)
    if (present.some(({ blocking_id }) => blocking_id === blocking.id)) throw refuse(409, 'Block already exists')
    // GitLab does not refuse longer cycles.
    const isBack = world.blocks.where('mergeRequest', blocking.id).some(({ blocking_id }) => blocking_id === mr.id)
    if (blocking.id === mr.id || isBack) throw refuse(400, 'This block is self-referential')
    const block = { id: nextNumber(world, 'blocks'), merge_request_id: mr.id, blocking_id: blocking.id }
    return showBlock(world, world.blocks.add(block), mr, caller)
  }),
}

/** Leaves out the other merge request if the caller may not read it. */
function showBlock(world: World, { id, blocking_id }: MergeRequestBlock, { project_id }: MergeRequest, caller: User) {
  const blocking = world.mergeRequests.get(blocking_id)
  if (blocking === undefined || !canReadMergeRequest(world, caller, blocking)) return { id, project_id }
  const short = `!${blocking.iid}`
  const full = `${projectById(world, blocking.project_id).path_with_namespace}${short}`
  return {
    id,
    blocking_merge_request: {
      ...pick(blocking, 'id', 'iid', 'project_id', 'title', 'description', 'state'),
      web_url: mergeRequestUrl(world, blocking),
      references: { short, relative: blocking.project_id === project_id ? short : full, full },
    },
    project_id,
  }
}

export const merging: Handlers<Pick<Api['mergeRequests'], 'accept' | 'cancelMergeWhenPipelineSucceeds' | 'rebase'>> = {
  accept: on(mergeRequestToAccept, async ({ project, mr, params, caller, world }) => {
    const options = { ...params, wait: params.merge_when_pipeline_succeeds === true || params.auto_merge === true }
    const added = await acceptByTrain(world, project, mr, caller, options)
    const accepted = added ?? (await accept(world, project, mr, caller, options))
    retryBlocked(world, accepted)
    return showMergeRequest(world, accepted, caller)
  }),

  cancelMergeWhenPipelineSucceeds: on(mergeRequestToAccept, ({ project, mr, caller, world }) => {
    const cancelled = cancelAutoMerge(world, project, mr, caller)
    // The next one on its train may go on.
    retryTrain(world, mr)
    return showMergeRequest(world, cancelled, caller)
  }),

  rebase: on(mergeRequestAt, async ({ mr, caller, world }) => {
    await startRebase(world, mr, caller)
    return { rebase_in_progress: true }
  }),
}

/** 401 for all who may not accept, even when they see no merge requests of the project. */
function mergeRequestToAccept(call: Asked<MergeRequestPath>) {
  if (!canReadCode(call.world, call.caller, visibleProject(call).project)) throw unauthorized()
  return mergeRequestAt(call)
}

export const mergeTrains: Handlers<Api['mergeTrains']> = {
  get: on(premium(mergeRequestAt), ({ mr, world }) =>
    orNotFound(showCars(world, [mr])[0], 'Merge Train Merge Request'),
  ),

  add: on(premium(mergeRequestAt), async ({ project, mr, params, caller, world }) => {
    const wait = params.auto_merge === true || params.when_pipeline_succeeds === true
    const added = await addToTrain(world, project, mr, caller, { ...params, wait })
    const train = showCars(world, trainOf(world, added))
    return new StatusResponse(added.train_car ? 201 : 202, train)
  }),
}

function showCars(world: World, train: readonly MergeRequest[]) {
  return train.flatMap((mr) => (mr.train_car ? [showTrainCar(world, mr, mr.train_car)] : []))
}
