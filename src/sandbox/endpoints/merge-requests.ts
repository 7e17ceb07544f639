// Merge requests: reading, accepting, approvals, subscription, time (api-v4.md §4.2).
import type { Api } from '../../api/index.ts'
import { developer, findProject, findReadableProject, projectLevel } from '../access.ts'
import { readChanges } from '../git/changes.ts'
import { commitsBetween } from '../git/read-commits.ts'
import { type Handlers, pageOf } from '../handler.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { accept, cancelAutoMerge } from '../merge-requests/accept.ts'
import { createMergeRequest } from '../merge-requests/create.ts'
import { parseDuration } from '../merge-requests/duration.ts'
import { filterMergeRequests } from '../merge-requests/filter.ts'
import { showApprovals, showListedMergeRequest, showMergeRequest, showPipeline, showTimeStats } from '../merge-requests/show.ts'
import { approvalsLeft, approvalsRequired, checkMergeStatus, measure } from '../merge-requests/status.ts'
import { updateMergeRequest } from '../merge-requests/update.ts'
import type { MergeRequest, Project, User } from '../records.ts'
import { badParameter, forbidden, notFound, refuse, unauthorized } from '../refusal.ts'
import { showCommit } from '../show.ts'
import { now, type World } from '../world.ts'
import { versions } from './diff-versions.ts'
import { awardEmoji, notes } from './notes.ts'
import { timeTracking } from './time-tracking.ts'
import { unserved } from './unserved.ts'

export const mergeRequests: Handlers<Api['mergeRequests']> = {
  list({ params, caller, world }) {
    const project = findReadableProject(world, caller, params.id)
    const found = filterMergeRequests(world.mergeRequests.where('project', project.id), params)
    return pageOf(found, params, (mr) => showListedMergeRequest(world, mr, caller))
  },

  async get({ params, caller, world }) {
    const { mr } = find(world, caller, params)
    return showMergeRequest(world, await checkMergeStatus(world, mr), caller)
  },

  async commits({ params, caller, world }) {
    const { mr } = find(world, caller, params)
    return pageOf(await commitsBetween(world, mr.project_id, await baseOf(world, mr), mr.sha), params, showCommit)
  },

  async changes({ params, caller, world }) {
    const { mr } = find(world, caller, params)
    const { changes, overflow } = await readChanges(world, mr.project_id, await baseOf(world, mr), mr.sha)
    return { ...showMergeRequest(world, await checkMergeStatus(world, mr), caller), changes, overflow }
  },

  async pipelines({ params, caller, world }) {
    const { mr } = find(world, caller, params)
    const commits = await commitsBetween(world, mr.project_id, await baseOf(world, mr), mr.sha)
    const shas = new Set([mr.sha, ...commits.map((commit) => commit.id)])
    const found = world.pipelines.where('project', mr.source_project_id).filter((pipeline) => shas.has(pipeline.sha))
    return pageOf(found.reverse(), params, showPipeline)
  },

  async create({ params, caller, world }) {
    const project = findReadableProject(world, caller, params.id)
    if (projectLevel(world, caller, project) < developer) throw forbidden()
    return showMergeRequest(world, await createMergeRequest(world, project, caller, params), caller)
  },

  async update({ params, caller, world }) {
    const { project, mr } = find(world, caller, params)
    if (projectLevel(world, caller, project) < developer && mr.author_id !== caller.id) throw forbidden()
    return showMergeRequest(world, await updateMergeRequest(world, mr, caller, params), caller)
  },

  async accept({ params, caller, world }) {
    const { project, mr } = find(world, caller, params)
    const wait = params.merge_when_pipeline_succeeds === true || params.auto_merge === true
    return showMergeRequest(world, await accept(world, project, mr, caller, { ...params, wait }), caller)
  },

  cancelMergeWhenPipelineSucceeds({ params, caller, world }) {
    const { project, mr } = find(world, caller, params)
    return showMergeRequest(world, cancelAutoMerge(world, project, mr, caller), caller)
  },

  approvals: ({ params, caller, world }) => showApprovals(world, find(world, caller, params).mr, caller),

  async approve({ params, caller, world }) {
    const { project, mr } = find(world, caller, params)
    if (projectLevel(world, caller, project) < developer || mr.state !== 'opened' || mr.approved_by.includes(caller.id))
      throw unauthorized()
    if (params.sha !== undefined && params.sha !== '' && params.sha !== mr.sha) {
      throw refuse(409, `SHA does not match HEAD of source branch: ${mr.sha}`)
    }
    const approved = world.mergeRequests.update(mr.id, { approved_by: [...mr.approved_by, caller.id], updated_at: now(world) })
    // `approval` is one of several that are needed; `approved` says that the requirement is met (hosting-service.md §2.2).
    await sendMergeRequest(world, approved, caller, approvalsLeft(world, approved) === 0 ? 'approved' : 'approval')
    return showApprovals(world, approved, caller)
  },

  async unapprove({ params, caller, world }) {
    const { mr } = find(world, caller, params)
    if (!mr.approved_by.includes(caller.id)) throw notFound()
    const left = mr.approved_by.filter((id) => id !== caller.id)
    const unapproved = world.mergeRequests.update(mr.id, { approved_by: left, updated_at: now(world) })
    const lost = approvalsRequired(world, mr) === 0 || (approvalsLeft(world, mr) === 0 && approvalsLeft(world, unapproved) > 0)
    await sendMergeRequest(world, unapproved, caller, lost ? 'unapproved' : 'unapproval')
    return showApprovals(world, unapproved, caller)
  },

  subscribe({ params, caller, world }) {
    const { mr } = find(world, caller, params)
    if (mr.subscriber_ids.includes(caller.id)) return null
    const subscribed = world.mergeRequests.update(mr.id, { subscriber_ids: [...mr.subscriber_ids, caller.id] })
    return showMergeRequest(world, subscribed, caller)
  },

  unsubscribe({ params, caller, world }) {
    const { mr } = find(world, caller, params)
    if (!mr.subscriber_ids.includes(caller.id)) return null
    const unsubscribed = world.mergeRequests.update(mr.id, { subscriber_ids: mr.subscriber_ids.filter((id) => id !== caller.id) })
    return showMergeRequest(world, unsubscribed, caller)
  },

  async timeEstimate({ params, caller, world }) {
    const { project, mr } = find(world, caller, params)
    if (projectLevel(world, caller, project) < developer) throw forbidden()
    const time_estimate = parseDuration(params.duration)
    if (time_estimate === undefined) throw badParameter('duration is invalid')
    if (time_estimate === mr.time_estimate) return showTimeStats(mr)
    const estimated = world.mergeRequests.update(mr.id, { time_estimate, updated_at: now(world) })
    await sendMergeRequest(world, estimated, caller, 'update', {
      changes: {
        time_estimate: { previous: mr.time_estimate, current: time_estimate },
        updated_at: { previous: mr.updated_at, current: estimated.updated_at },
      },
    })
    return showTimeStats(estimated)
  },

  listAll: unserved,
  participants: unserved,
  delete: unserved,
  rebase: unserved,
  closesIssues: unserved,
  todo: unserved,
  versions,
  ...timeTracking,
  notes,
  awardEmoji,

  timeStats: ({ params, caller, world }) => showTimeStats(find(world, caller, params).mr),
}

function find(
  world: World,
  caller: User,
  { id, merge_request_iid }: { id: number | string; merge_request_iid: number },
): { project: Project; mr: MergeRequest } {
  const project = findReadableProject(world, caller, findProject(world, caller, id).id)
  const [mr] = world.mergeRequests.where('iid', `${project.id}:${merge_request_iid}`)
  if (mr === undefined) throw notFound()
  return { project, mr }
}

/** Where source and target parted: as it was at the merge, or as it is now. */
async function baseOf(world: World, mr: MergeRequest): Promise<string | null> {
  return mr.state === 'merged' ? mr.base_sha : ((await measure(world, mr)).base_sha ?? mr.base_sha)
}
