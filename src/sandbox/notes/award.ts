// Reactions by emoji name; any well-formed name is accepted.
import { sendEmoji } from '../hooks/note.ts'
import type { AwardEmoji, User } from '../records/records.ts'
import { nextNumber, now, type World } from '../storage/world.ts'
import type { Noteable } from './noteable.ts'

const otherNames = new Map([
  ['+1', 'thumbsup'],
  ['-1', 'thumbsdown'],
])

/** `:thumbsup:`, `thumbsup` and `+1` → `thumbsup`; undefined when invalid. */
export function emojiName(text: string): string | undefined {
  const name = text.trim().replace(/^:(.*):$/, '$1')
  return /^[a-z0-9_+-]+$/.test(name) ? (otherNames.get(name) ?? name) : undefined
}

export function awardsOf(world: World, { type, record }: Noteable): readonly AwardEmoji[] {
  return world.awards.where('noteable', `${type}:${record.id}`)
}

export function findAward(world: World, noteable: Noteable, user: User, name: string): AwardEmoji | undefined {
  return awardsOf(world, noteable).find((award) => award.user_id === user.id && award.name === name)
}

/** `updated_at` does not show it. */
export async function giveAward(world: World, noteable: Noteable, user: User, name: string): Promise<AwardEmoji> {
  const award = world.awards.add({
    noteable_type: noteable.type,
    noteable_id: noteable.record.id,
    id: nextNumber(world, 'awards'),
    user_id: user.id,
    name,
    created_at: now(world),
  })
  await sendEmoji(world, noteable, award, user, 'award')
  return award
}

/** `user`: who takes it back, who may be an administrator. */
export async function takeAward(world: World, noteable: Noteable, award: AwardEmoji, user: User): Promise<void> {
  world.awards.remove(award.id)
  await sendEmoji(world, noteable, award, user, 'revoke')
}
