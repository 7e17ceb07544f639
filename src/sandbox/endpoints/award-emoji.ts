// Emoji reactions to merge requests and issues.
import type { Api } from '../../api/index.ts'
import { sendEmoji } from '../hooks/note.ts'
import { notFound, orNotFound, unauthorized } from '../http/error-response.ts'
import { on, pageOf, type SharedHandlers } from '../http/handler.ts'
import { type Noteable, noteableAt } from '../notes/noteable.ts'
import { pick } from '../records/fields.ts'
import type { AwardEmoji } from '../records/records.ts'
import { showUserById } from '../records/show-records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'

export const awardEmoji: SharedHandlers<Api['mergeRequests']['awardEmoji'], Api['issues']['awardEmoji']> = {
  list: on(noteableAt, ({ noteable, params, world }) =>
    pageOf(awardsOf(world, noteable), params, (award) => showAward(world, noteable, award)),
  ),

  create: on(noteableAt, async ({ noteable, params, caller, world }) => {
    const name = emojiName(params.name)
    // GitLab answers 404 in all these cases.
    if (noteable.project.archived) throw notFound('Award Emoji')
    if (name === undefined) throw notFound('Award Emoji Name is not a valid emoji name')
    if (awardsOf(world, noteable).some((award) => award.user_id === caller.id && award.name === name))
      throw notFound('Award Emoji Name has already been taken')
    const award = world.awards.add({
      noteable_type: noteable.type,
      noteable_id: noteable.record.id,
      id: nextNumber(world, 'awards'),
      user_id: caller.id,
      name,
      created_at: now(world),
    })
    await sendEmoji(world, noteable, award, caller, 'award')
    return showAward(world, noteable, award)
  }),

  delete: on(noteableAt, async ({ noteable, params, caller, world }) => {
    const award = orNotFound(awardsOf(world, noteable).find(({ id }) => id === params.award_id))
    if (award.user_id !== caller.id && !caller.is_admin) throw unauthorized()
    world.awards.remove(award.id)
    await sendEmoji(world, noteable, award, caller, 'revoke')
    return null
  }),
}

function showAward(world: World, { type, record }: Noteable, award: AwardEmoji) {
  return {
    ...pick(award, 'id', 'name', 'created_at'),
    updated_at: award.created_at,
    user: showUserById(world, award.user_id),
    awardable_id: record.id,
    awardable_type: type,
  }
}

const otherNames = new Map([
  ['+1', 'thumbsup'],
  ['-1', 'thumbsdown'],
])

/** `:thumbsup:`, `thumbsup` and `+1` → `thumbsup`; undefined when invalid. */
function emojiName(text: string): string | undefined {
  const name = text.trim().replace(/^:(.*):$/, '$1')
  return /^[a-z0-9_+-]+$/.test(name) ? (otherNames.get(name) ?? name) : undefined
}

function awardsOf(world: World, { type, record }: Noteable): readonly AwardEmoji[] {
  return world.awards.where('noteable', `${type}:${record.id}`)
}
