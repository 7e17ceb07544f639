// Reactions by emoji name; any well-formed name is accepted.
import { sendEmoji } from '../hooks/emoji.ts'
import type { AwardEmoji, MergeRequest, User } from '../records/records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'

const otherNames = new Map([
  ['+1', 'thumbsup'],
  ['-1', 'thumbsdown'],
])

/** `:thumbsup:`, `thumbsup` and `+1` → `thumbsup`; undefined when invalid. */
export function emojiName(text: string): string | undefined {
  const name = text.trim().replace(/^:(.*):$/, '$1')
  return /^[a-z0-9_+-]+$/.test(name) ? (otherNames.get(name) ?? name) : undefined
}

export function findAward(world: World, mr: MergeRequest, user: User, name: string): AwardEmoji | undefined {
  return world.awards.where('mergeRequest', mr.id).find((award) => award.user_id === user.id && award.name === name)
}

/** `updated_at` does not show it. */
export async function giveAward(world: World, mr: MergeRequest, user: User, name: string): Promise<AwardEmoji> {
  const award = world.awards.add({
    id: nextNumber(world, 'awards'),
    merge_request_id: mr.id,
    user_id: user.id,
    name,
    created_at: now(world),
  })
  await sendEmoji(world, mr, award, user, 'award')
  return award
}

/** `user`: who takes it back, who may be an administrator. */
export async function takeAward(world: World, mr: MergeRequest, award: AwardEmoji, user: User): Promise<void> {
  world.awards.remove(award.id)
  await sendEmoji(world, mr, award, user, 'revoke')
}
