// Merge requests: lists, reading, creating, updating, approvals, subscription (api-v4.md §4.2).
import type { Api } from '../../api/index.ts'
import { developer, findReadableProject, projectLevel } from '../access.ts'
import { type Handlers, pageOf } from '../handler.ts'
import { sendMergeRequest } from '../hooks/merge-request.ts'
import { createMergeRequest } from '../merge-requests/create.ts'
import { filterMergeRequests } from '../merge-requests/filter.ts'
import { findMergeRequest } from '../merge-requests/find.ts'
import { showApprovals, showListedMergeRequest, showMergeRequest } from '../merge-requests/show.ts'
import { approvalsLeft, approvalsRequired, checkMergeStatus } from '../merge-requests/status.ts'
import { updateMergeRequest } from '../merge-requests/update.ts'
import { forbidden, notFound, refuse, unauthorized } from '../refusal.ts'
import { now } from '../world.ts'
import { versions } from './diff-versions.ts'
import { merging } from './merge-request-merging.ts'
import { reading } from './merge-request-reading.ts'
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
    const { mr } = findMergeRequest(world, caller, params)
    return showMergeRequest(world, await checkMergeStatus(world, mr), caller)
  },

  async create({ params, caller, world }) {
    const project = findReadableProject(world, caller, params.id)
    if (projectLevel(world, caller, project) < developer) throw forbidden()
    return showMergeRequest(world, await createMergeRequest(world, project, caller, params), caller)
  },

  async update({ params, caller, world }) {
    const { project, mr } = findMergeRequest(world, caller, params)
    if (projectLevel(world, caller, project) < developer && mr.author_id !== caller.id) throw forbidden()
    return showMergeRequest(world, await updateMergeRequest(world, mr, caller, params), caller)
  },

  approvals: ({ params, caller, world }) => showApprovals(world, findMergeRequest(world, caller, params).mr, caller),

  async approve({ params, caller, world }) {
    const { project, mr } = findMergeRequest(world, caller, params)
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
    const { mr } = findMergeRequest(world, caller, params)
    if (!mr.approved_by.includes(caller.id)) throw notFound()
    const left = mr.approved_by.filter((id) => id !== caller.id)
    const unapproved = world.mergeRequests.update(mr.id, { approved_by: left, updated_at: now(world) })
    const lost = approvalsRequired(world, mr) === 0 || (approvalsLeft(world, mr) === 0 && approvalsLeft(world, unapproved) > 0)
    await sendMergeRequest(world, unapproved, caller, lost ? 'unapproved' : 'unapproval')
    return showApprovals(world, unapproved, caller)
  },

  subscribe({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    if (mr.subscriber_ids.includes(caller.id)) return null
    const subscribed = world.mergeRequests.update(mr.id, { subscriber_ids: [...mr.subscriber_ids, caller.id] })
    return showMergeRequest(world, subscribed, caller)
  },

  unsubscribe({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    if (!mr.subscriber_ids.includes(caller.id)) return null
    const unsubscribed = world.mergeRequests.update(mr.id, { subscriber_ids: mr.subscriber_ids.filter((id) => id !== caller.id) })
    return showMergeRequest(world, unsubscribed, caller)
  },

  listAll: unserved,
  participants: unserved,
  delete: unserved,
  todo: unserved,
  ...merging,
  ...reading,
  versions,
  ...timeTracking,
  notes,
  awardEmoji,
}
