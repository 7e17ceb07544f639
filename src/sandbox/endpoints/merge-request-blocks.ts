// The merge requests that block a merge request (GitLab Premium).
import type { z } from 'zod'
import type { Api } from '../../api/index.ts'
import type { mergeRequestBlock } from '../../api/schemas/merge-request.ts'
import { developer, projectLevel } from '../access/access.ts'
import { forbidden, notFound, refuse } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { requirePremium } from '../installation.ts'
import { canReadMergeRequests, findMergeRequest, type MergeRequestPath } from '../merge-requests/find.ts'
import { mergeRequestUrl } from '../merge-requests/status.ts'
import { pick } from '../records/fields.ts'
import type { MergeRequest, MergeRequestBlock, User } from '../records/records.ts'
import { nextNumber, projectById, type World } from '../storage/world.ts'

export const blocks: Handlers<Api['mergeRequests']['blocks']> = {
  list({ params, caller, world }) {
    const mr = findBlocked(world, caller, params)
    const listed = world.blocks.where('mergeRequest', mr.id).filter((each) => world.mergeRequests.get(each.blocking_id))
    return pageOf(listed, params, (each) => showBlock(world, each, mr, caller))
  },

  create({ params, caller, world }) {
    const mr = findBlocked(world, caller, params)
    if (mr.author_id !== caller.id && projectLevel(world, caller, projectById(world, mr.project_id)) < developer)
      throw forbidden()
    const blocking = world.mergeRequests.get(params.blocking_merge_request_id)
    if (blocking === undefined || !isReadable(world, caller, blocking)) throw notFound('Blocking merge request')
    const present = world.blocks.where('mergeRequest', mr.id)
    if (present.some(({ blocking_id }) => blocking_id === blocking.id)) throw refuse(409, 'Block already exists')
    // GitLab does not refuse longer cycles.
    const isBack = world.blocks.where('mergeRequest', blocking.id).some(({ blocking_id }) => blocking_id === mr.id)
    if (blocking.id === mr.id || isBack) throw refuse(400, 'This block is self-referential')
    const block = { id: nextNumber(world, 'blocks'), merge_request_id: mr.id, blocking_id: blocking.id }
    return showBlock(world, world.blocks.add(block), mr, caller)
  },
}

function findBlocked(world: World, caller: User, params: MergeRequestPath): MergeRequest {
  requirePremium(world)
  return findMergeRequest(world, caller, params).mr
}

function isReadable(world: World, caller: User, { project_id }: MergeRequest): boolean {
  return canReadMergeRequests(world, caller, projectById(world, project_id))
}

/** Leaves out the other merge request if the caller may not read it. */
function showBlock(
  world: World,
  { id, blocking_id }: MergeRequestBlock,
  { project_id }: MergeRequest,
  caller: User,
): z.output<typeof mergeRequestBlock> {
  const blocking = world.mergeRequests.get(blocking_id)
  if (blocking === undefined || !isReadable(world, caller, blocking)) return { id, project_id }
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
