// What is supposed, made ready for a decision: events with the people they name, whose access is looked up.
import type { Client } from '../client/create-client.ts'
import { type Suppositions, supposedComment } from '../rules/suppositions.ts'
import type { DecideInput, Occurrence } from '../rules/types.ts'
import { userNamed } from '../rules/users.ts'

/** An event is supposed to be by somebody whom the service does not know. The message is a sentence for people. */
export class UnknownSupposedUser extends Error {
  override name = 'UnknownSupposedUser'
}

/** The event's part of a decision's input. Throws UnknownSupposedUser, and what the client throws. */
export async function occurrencesOf(
  { facts, events }: Suppositions,
  { client, bot, at, project, iid }: { client: Client; bot: DecideInput['bot']; at: string; project: number; iid: number },
): Promise<Required<Pick<DecideInput, 'events' | 'suppose'>>> {
  const suppose = [...facts]
  const occurrences: Occurrence[] = []
  for (const { kind, by, comment } of events) {
    const id = by === undefined ? undefined : userNamed((await client.users.list({ username: by })).body, by)
    if (by !== undefined && id === undefined) throw new UnknownSupposedUser(`there is no user ${by} on the service.`)
    if (comment !== undefined) suppose.unshift(...supposedComment(comment, bot.username))
    const changed = facts.flatMap((each) =>
      'is' in each && each.fact === 'changed_fields' && each.is.is === 'known' ? [each.is.value].flat() : [],
    )
    const actor = by === undefined || id === undefined ? {} : { id, username: by }
    occurrences.push({ id: 'supposed', event: { kind, project, ...(iid > 0 ? { iid } : {}), actor, at, changed: changed.map(String) } })
  }
  return { events: occurrences, suppose }
}
