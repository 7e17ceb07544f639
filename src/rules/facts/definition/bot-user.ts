// Tells the bot user's own acts from those of others.
import type { DecideInput, Event } from '../../types.ts'

/** Whether Bellhop's user did it: Bellhop itself, or anyone else with that user's password or token. */
export function isOwn({ actor }: Pick<Event, 'actor'>, bot: DecideInput['bot']): boolean {
  return actor.id === undefined ? actor.username === bot.username : actor.id === bot.id
}
