// The event that an event rule is judged for: what happened, who did it, and what they wrote.
import { accessIn } from '../access.ts'
import { commandsIn } from '../comment-commands.ts'
import { type Fact, type FactView, known } from '../fact.ts'
import { choice, level, names, path, text } from '../fact-types.ts'
import { sources } from '../sources.ts'
import type { Event, FactValue, Json } from '../types.ts'

function ofEvent(view: FactView, read: (event: Event) => Json | undefined, type: Fact['type']): FactValue {
  if (view.event === undefined) return { is: 'absent', reason: 'only a rule with on: has an event' }
  return known(type, read(view.event))
}

export const event: Fact<string> = {
  doc: 'What happened, for a rule with `on:`.',
  type: text,
  ofEvents: true,
  from: [],
  read: (view) => ofEvent(view, ({ kind }) => kind, text),
  example: 'event: note.create',
  unblock: (wanted) => `an event that is ${wanted}`,
}

export const ref: Fact<string> = {
  doc: 'The branch or tag that was pushed, or the branch or tag of the pipeline, for a rule with `on:`.',
  type: path,
  ofEvents: true,
  from: [],
  read: (view) => ofEvent(view, (each) => each.ref, path),
  example: 'ref: { glob: "v*" }',
  unblock: (wanted) => `a branch or tag that is ${wanted}`,
}

const refChanges = choice(['created', 'updated', 'deleted'])

export const ref_change: Fact<string> = {
  doc: 'What the push did to its branch or tag, for a rule with `on: push` or `on: tag_push`.',
  type: refChanges,
  ofEvents: true,
  from: [],
  read: (view) => ofEvent(view, ({ refChange }) => refChange, refChanges),
  example: 'ref_change: [created, updated]',
  unblock: (wanted) => `a push by which the branch or tag is ${wanted}`,
}

export const actor: Fact<string> = {
  doc: 'The user name of who caused the event, for a rule with `on:`.',
  type: text,
  names: 'user',
  ofEvents: true,
  from: [],
  read: (view) => ofEvent(view, ({ actor: { username } }) => username, text),
  example: 'actor: [alice, bob]',
  unblock: (wanted) => `an event caused by ${wanted}`,
}

export const changed_fields: Fact<string[]> = {
  doc: 'The fields that the update changed, for a rule with `on:`.',
  type: names,
  ofEvents: true,
  from: [],
  read: (view) => ofEvent(view, ({ changed }) => changed ?? [], names),
  example: 'changed_fields: [labels]',
  unblock: (wanted) => `an update that changes ${wanted}`,
}

export const actor_access: Fact<string> = {
  doc: 'What who caused the event may do in the project, read anew: none, guest, reporter, developer, maintainer or owner.',
  type: level,
  ofEvents: true,
  from: [sources.actorAccess.name],
  read(view) {
    return accessIn(view.source(sources.actorAccess))
  },
  example: 'actor_access: { at_least: maintainer }',
  unblock: (wanted) => `that someone who is ${wanted} does it`,
}

/** The note's text, only where it is by who the event says and not of the service itself. */
function noteOf(view: FactView): { is: 'read'; body: string } | Exclude<FactValue, { is: 'known' }> {
  const reading = view.source(sources.note)
  if (reading.is === 'absent')
    return { is: 'absent', reason: view.event?.note === undefined ? 'the event has no note' : 'the note is gone' }
  if (reading.is !== 'read') return reading
  const { body, author, system } = reading.body
  if (typeof body !== 'string' || system === true) return { is: 'absent', reason: 'the note has no text of a person' }
  if (author?.id === undefined || author.id !== view.event?.actor.id)
    return { is: 'absent', reason: 'the note is not by who caused the event' }
  return { is: 'read', body }
}

export const comment: Fact<string> = {
  doc: 'The text of the note, read back from the service, for a rule with `on: note.create`.',
  type: text,
  ofEvents: true,
  from: [sources.note.name],
  read(view) {
    const note = noteOf(view)
    return note.is === 'read' ? known(text, note.body) : note
  },
  example: 'comment: { matches: "(?i)ship it" }',
  unblock: (wanted) => `a note that is ${wanted}`,
}

export const command: Fact<string[]> = {
  doc: 'The commands to the bot in the note: words behind its name at the start of a line, outside code and quotes.',
  type: names,
  ofEvents: true,
  from: [sources.note.name],
  read(view) {
    // The delivery itself says that there is none: no call is spent on it.
    if (view.event?.note?.mentions === false) return known(names, [])
    const note = noteOf(view)
    return note.is === 'read' ? known(names, commandsIn(note.body, view.bot.username)) : note
  },
  example: 'command: [merge]',
  unblock: (wanted) => `a note with the command ${wanted}`,
}
