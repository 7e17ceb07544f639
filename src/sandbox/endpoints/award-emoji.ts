// Emoji reactions to merge requests and issues.
import type { Api } from '../../api/index.ts'
import { notFound, unauthorized } from '../http/error-response.ts'
import { pageOf, type SharedHandlers } from '../http/handler.ts'
import { awardsOf, emojiName, findAward, giveAward, takeAward } from '../notes/award.ts'
import { findNoteable, type Noteable } from '../notes/noteable.ts'
import type { AwardEmoji } from '../records/records.ts'
import { showUserById } from '../records/show-records.ts'
import type { World } from '../storage/world.ts'

export const awardEmoji: SharedHandlers<Api['mergeRequests']['awardEmoji'], Api['issues']['awardEmoji']> = {
  list({ params, caller, world }) {
    const noteable = findNoteable(world, caller, params)
    return pageOf(awardsOf(world, noteable), params, (award) => showAward(world, noteable, award))
  },

  async create({ params, caller, world }) {
    const noteable = findNoteable(world, caller, params)
    const name = emojiName(params.name)
    // GitLab answers 404 in all these cases.
    if (noteable.project.archived) throw notFound('Award Emoji')
    if (name === undefined) throw notFound('Award Emoji Name is not a valid emoji name')
    if (findAward(world, noteable, caller, name) !== undefined)
      throw notFound('Award Emoji Name has already been taken')
    return showAward(world, noteable, await giveAward(world, noteable, caller, name))
  },

  async delete({ params, caller, world }) {
    const noteable = findNoteable(world, caller, params)
    const award = awardsOf(world, noteable).find(({ id }) => id === params.award_id)
    if (award === undefined) throw notFound()
    if (award.user_id !== caller.id && !caller.is_admin) throw unauthorized()
    await takeAward(world, noteable, award, caller)
    return null
  },
}

function showAward(world: World, { type, record }: Noteable, { id, name, user_id, created_at }: AwardEmoji) {
  return {
    id,
    name,
    user: showUserById(world, user_id),
    created_at,
    updated_at: created_at,
    awardable_id: record.id,
    awardable_type: type,
  }
}
