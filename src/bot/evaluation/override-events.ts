// Events of a what-if: looks up the people they name.
import type { Client } from '../../client/create-client.ts'
import { userNamed } from '../../rules/facts/definition/list-items.ts'
import { commentOverrides, type Overrides } from '../../rules/testing/overrides.ts'
import type { DecideInput, Occurrence } from '../../rules/types.ts'

/** The message is a sentence for people. */
export class UnknownOverrideUser extends Error {
  override name = 'UnknownOverrideUser'
}

/** Throws UnknownOverrideUser, and what the client throws. */
export async function overrideOccurrences(
  { facts, events }: Overrides,
  {
    client,
    bot,
    at,
    project,
    iid,
  }: { client: Client; bot: DecideInput['bot']; at: string; project: number; iid: number },
): Promise<Required<Pick<DecideInput, 'events' | 'overrides'>>> {
  const overrides = [...facts]
  const occurrences: Occurrence[] = []
  for (const { kind, by, comment } of events) {
    const id = by === undefined ? undefined : userNamed((await client.users.list({ username: by })).body, by)
    if (by !== undefined && id === undefined) throw new UnknownOverrideUser(`there is no user ${by} on the service.`)
    if (comment !== undefined) overrides.unshift(...commentOverrides(comment, bot.username))
    const changed = facts.flatMap((each) =>
      'is' in each && each.fact === 'changed_fields' && each.is.is === 'known' ? [each.is.value].flat() : [],
    )
    const actor = by === undefined || id === undefined ? {} : { id, username: by }
    occurrences.push({
      id: 'override',
      event: { kind, project, ...(iid === 0 ? {} : { iid }), actor, at, changed: changed.map(String) },
    })
  }
  return { events: occurrences, overrides: overrides }
}
