// Emoji reactions to merge requests (hosting-service.md §3.3).
import type { Api } from '../../api/index.ts'
import { notFound, unauthorized } from '../http/error-response.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { findMergeRequest } from '../merge-requests/find.ts'
import { emojiName, findAward, giveAward, takeAward } from '../notes/award.ts'
import type { AwardEmoji } from '../records/records.ts'
import { showUserById } from '../records/show-records.ts'
import type { World } from '../storage/world.ts'

export const awardEmoji: Handlers<Api['mergeRequests']['awardEmoji']> = {
  list({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    return pageOf(world.awards.where('mergeRequest', mr.id), params, (award) => showAward(world, award))
  },

  async create({ params, caller, world }) {
    const { project, mr } = findMergeRequest(world, caller, params)
    const name = emojiName(params.name)
    // GitLab answers 404 in all these cases.
    if (project.archived) throw notFound('Award Emoji')
    if (name === undefined) throw notFound('Award Emoji Name is not a valid emoji name')
    if (findAward(world, mr, caller, name) !== undefined) throw notFound('Award Emoji Name has already been taken')
    return showAward(world, await giveAward(world, mr, caller, name))
  },

  async delete({ params, caller, world }) {
    const { mr } = findMergeRequest(world, caller, params)
    const award = world.awards.get(params.award_id)
    if (award === undefined || award.merge_request_id !== mr.id) throw notFound()
    if (award.user_id !== caller.id && !caller.is_admin) throw unauthorized()
    await takeAward(world, mr, award, caller)
    return null
  },
}

function showAward(world: World, { id, name, user_id, created_at, merge_request_id }: AwardEmoji) {
  const user = showUserById(world, user_id)
  return {
    id,
    name,
    user,
    created_at,
    updated_at: created_at,
    awardable_id: merge_request_id,
    awardable_type: 'MergeRequest',
  }
}
