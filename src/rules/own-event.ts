// What Bellhop did itself, as deliveries tell it (DESIGN §6, no loop).
import type { DecideInput, Event } from './types.ts'

/** What Bellhop did itself starts no rule: it would be a loop (DESIGN §6). */
export function isOwn({ actor }: Pick<Event, 'actor'>, bot: DecideInput['bot']): boolean {
  return actor.id === undefined ? actor.username === bot.username : actor.id === bot.id
}
