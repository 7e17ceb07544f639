// What `--suppose` says, made ready for a decision: facts, the time, and events with the people they name.
import type { Client } from '../../client/create-client.ts'
import { commandsIn } from '../../rules/comment-commands.ts'
import { readSupposed, type SupposedEvent } from '../../rules/suppose-text.ts'
import type { DecideInput, Occurrence, Supposition } from '../../rules/types.ts'
import { userNamed } from '../../rules/users.ts'
import { UserError } from '../user-error.ts'

export interface Suppositions {
  facts: Supposition[]
  now?: string
  events: SupposedEvent[]
}

/** Reads every `--suppose`. Throws UserError with a line for each that cannot be read. */
export function readSuppositions(texts: readonly string[]): Suppositions {
  const problems: string[] = []
  const read: Suppositions = { facts: [], events: [] }
  for (const text of texts) {
    const supposed = readSupposed(text)
    if ('problem' in supposed) problems.push(`--suppose ${JSON.stringify(text)}: ${supposed.problem}`)
    else if ('now' in supposed) read.now = supposed.now
    else if ('event' in supposed) read.events.push(supposed.event)
    else read.facts.push(supposed.supposition)
  }
  if (read.events.length > 1) problems.push('--suppose: expected at most one event')
  if (problems.length > 0) throw new UserError(problems.join('\n'), { exitCode: 2 })
  return read
}

const known = (fact: string, value: string | string[]): Supposition => ({
  fact,
  is: { is: 'known', value, complete: true, note: 'supposed' },
})

/** The event's part of a decision's input. Who did it is looked up, because their access is. */
export async function occurrencesOf(
  { facts, events }: Suppositions,
  { client, bot, at, project, iid }: { client: Client; bot: DecideInput['bot']; at: string; project: number; iid: number },
): Promise<Required<Pick<DecideInput, 'events' | 'suppose'>>> {
  const suppose = [...facts]
  const occurrences: Occurrence[] = []
  for (const { kind, by, comment } of events) {
    const id = by === undefined ? undefined : userNamed((await client.users.list({ username: by })).body, by)
    if (by !== undefined && id === undefined)
      throw new UserError(`--suppose event: there is no user ${by} on the service.`, { exitCode: 2 })
    if (comment !== undefined) suppose.unshift(known('comment', comment), known('command', commandsIn(comment, bot.username)))
    const changed = facts.flatMap((each) =>
      'is' in each && each.fact === 'changed_fields' && each.is.is === 'known' ? [each.is.value].flat() : [],
    )
    const actor = by === undefined || id === undefined ? {} : { id, username: by }
    occurrences.push({ id: 'supposed', event: { kind, project, ...(iid > 0 ? { iid } : {}), actor, at, changed: changed.map(String) } })
  }
  return { events: occurrences, suppose }
}
