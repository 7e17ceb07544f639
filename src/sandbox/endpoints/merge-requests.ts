// Lists, shows, creates, updates and deletes merge requests.
import type { Api } from '../../api/index.ts'
import { developer, owner, projectLevel, readableProject, refuseArchived } from '../access/access.ts'
import { forbidden } from '../http/error-response.ts'
import { type Handlers, on, pageOf } from '../http/handler.ts'
import {
  canReadMergeRequests,
  commitsBehind,
  mergeRequestAt,
  projectWithMergeRequests,
} from '../merge-requests/find.ts'
import { isRebasing } from '../merge-requests/rebase.ts'
import { showListedMergeRequest, showMergeRequest, showSimpleMergeRequest } from '../merge-requests/show.ts'
import { checkMergeStatus } from '../merge-requests/status.ts'
import { createMergeRequest, findTarget, updateMergeRequest } from '../merge-requests/update.ts'
import { retryAutoMerge } from '../merging/merge-waiting.ts'
import { removeMergeRequest } from '../projects/remove.ts'
import { filterMergeRequests } from '../records/filter.ts'
import type { MergeRequest, User } from '../records/records.ts'
import { projectById, type World } from '../storage/world.ts'
import { attention } from './attention.ts'
import { awardEmoji } from './award-emoji.ts'
import { labelEvents } from './labels.ts'
import { approvals, blocks, merging } from './merge-request-merging.ts'
import { reading, versions } from './merge-request-reading.ts'
import { discussions, notes } from './notes.ts'
import { timeTracking } from './time-tracking.ts'

export const mergeRequests: Handlers<Api['mergeRequests']> = {
  listAll({ params, caller, world }) {
    const found = filterMergeRequests(world, caller, world.mergeRequests.all(), params)
    // Each project is checked once.
    const ids = [...new Set(found.map(({ project_id }) => project_id))]
    const readable = new Set(ids.filter((id) => canReadMergeRequests(world, caller, projectById(world, id))))
    const seen = found.filter(({ project_id }) => readable.has(project_id))
    return pageOfMergeRequests(world, caller, seen, params)
  },

  list: on(projectWithMergeRequests, ({ project, params, caller, world }) => {
    const found = filterMergeRequests(world, caller, world.mergeRequests.where('project', project.id), params)
    return pageOfMergeRequests(world, caller, found, params)
  }),

  get: on(mergeRequestAt, async ({ mr, params, caller, world }) => {
    const { include_rebase_in_progress, include_diverged_commits_count } = params
    return {
      ...showMergeRequest(world, await checkMergeStatus(world, mr), caller),
      rebase_in_progress: include_rebase_in_progress ? isRebasing(world, mr) : undefined,
      diverged_commits_count: include_diverged_commits_count ? await commitsBehind(world, mr) : undefined,
    }
  }),

  create: on(readableProject, ({ project: source, params, caller, world }) => {
    const create = async () => {
      const target = findTarget(world, caller, source, params.target_project_id)
      const created = await createMergeRequest(world, { source, target, author: caller }, params)
      return showMergeRequest(world, created, caller)
    }
    const { id } = findTarget(world, caller, source, params.target_project_id)
    // The source's lock is held already; followSource describes the order.
    return id === source.id ? create() : world.serialise(`project ${id}`, create)
  }),

  update: on(mergeRequestAt, async ({ project, mr, params, caller, world }) => {
    if (projectLevel(world, caller, project) < developer && mr.author_id !== caller.id) throw forbidden()
    refuseArchived(project)
    const updated = await updateMergeRequest(world, project, mr, caller, params)
    retryAutoMerge(world, updated)
    return showMergeRequest(world, updated, caller)
  }),

  delete: on(mergeRequestAt, ({ project, mr, caller, world }) => {
    if (projectLevel(world, caller, project) < owner) throw forbidden()
    refuseArchived(project)
    removeMergeRequest(world, mr)
    return null
  }),

  ...approvals,
  ...attention,
  ...merging,
  ...reading,
  versions,
  ...timeTracking,
  blocks,
  notes,
  discussions,
  awardEmoji,
  labelEvents,
}

function pageOfMergeRequests(
  world: World,
  caller: User,
  found: readonly MergeRequest[],
  params: { page: number; per_page: number; view?: 'simple' },
) {
  return params.view === 'simple'
    ? pageOf(found, params, (mr) => showSimpleMergeRequest(world, mr))
    : pageOf(found, params, (mr) => showListedMergeRequest(world, mr, caller))
}
