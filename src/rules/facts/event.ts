// The event that an event rule is evaluated for: what happened, who did it, and what they wrote.

import { commandsIn } from '../language/commands/comment-commands.ts'
import { choice, level, names, path, text } from '../language/operators/fact-types.ts'
import type { Json } from '../language/values/rule-types.ts'
import type { Event, FactValue } from '../types.ts'
import { accessIn, GUEST } from './definition/access.ts'
import { type Fact, type FactView, known, notShown } from './definition/fact.ts'
import { sources } from './definition/sources.ts'

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
  toFix: (expected) => `an event that is ${expected}`,
}

export const ref: Fact<string> = {
  doc: 'The branch or tag that was pushed, or the branch or tag of the pipeline, for a rule with `on:`.',
  type: path,
  ofEvents: true,
  from: [],
  read: (view) => ofEvent(view, (each) => each.ref, path),
  example: 'ref: { glob: "v*" }',
  toFix: (expected) => `a branch or tag that is ${expected}`,
}

const refChanges = choice(['created', 'updated', 'deleted'])

export const ref_change: Fact<string> = {
  doc: 'What the push did to its branch or tag, for a rule with `on: push` or `on: tag_push`.',
  type: refChanges,
  ofEvents: true,
  from: [],
  read: (view) => ofEvent(view, ({ refChange }) => refChange, refChanges),
  example: 'ref_change: [created, updated]',
  toFix: (expected) => `a push by which the branch or tag is ${expected}`,
}

export const actor: Fact<string> = {
  doc: 'The user name of who caused the event, for a rule with `on:`.',
  type: text,
  names: 'user',
  ofEvents: true,
  from: [],
  read: (view) => ofEvent(view, ({ actor: { username } }) => username, text),
  example: 'actor: [alice, bob]',
  toFix: (expected) => `an event caused by ${expected}`,
}

export const changed_fields: Fact<string[]> = {
  doc: 'The fields that the update changed, for a rule with `on:`.',
  type: names,
  ofEvents: true,
  from: [],
  read: (view) => ofEvent(view, ({ changed }) => changed ?? [], names),
  example: 'changed_fields: [labels]',
  toFix: (expected) => `an update that changes ${expected}`,
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
  toFix: (expected) => `that someone who is ${expected} does it`,
}

/** The note's text, only where it is by who the event says and not of the service itself. */
function noteOf(view: FactView): { is: 'read'; body: string; internal: boolean } | Exclude<FactValue, { is: 'known' }> {
  const reading = view.source(sources.note)
  if (reading.is === 'absent')
    return { is: 'absent', reason: view.event?.note === undefined ? 'the event has no note' : 'the note is gone' }
  if (reading.is !== 'read') return reading
  const { body, author, system, internal, confidential } = reading.body
  if (typeof body !== 'string' || system === true) return { is: 'absent', reason: 'the note has no text of a person' }
  if (author?.id === undefined || author.id !== view.event?.actor.id)
    return { is: 'absent', reason: 'the note is not by who caused the event' }
  // A service that does not say has no internal notes.
  return { is: 'read', body, internal: [internal, confidential].some((each) => each !== undefined && each !== false) }
}

/** Only some readers of the merge request may read an internal note. */
function readPublicNote(view: FactView, read: (view: FactView) => FactValue): FactValue {
  const note = noteOf(view)
  return note.is === 'read' && note.internal ? notShown : read(view)
}

function readComment(view: FactView): FactValue {
  const note = noteOf(view)
  return note.is === 'read' ? known(text, note.body) : note
}

export const comment: Fact<string> = {
  doc: 'The text of the note, read back from the service, for a rule with `on: note.create`.',
  type: text,
  ofEvents: true,
  from: [sources.note.name],
  read: readComment,
  readPublic: (view) => readPublicNote(view, readComment),
  example: 'comment: { matches: "(?i)ship it" }',
  toFix: (expected) => `a note that is ${expected}`,
}

/** The merge request's author and members of the project may give commands. Fails closed: unknown access is no access. */
function mayCommand(view: FactView): true | Exclude<FactValue, { is: 'known' }> {
  const mergeRequest = view.source(sources.mergeRequest)
  if (mergeRequest.is === 'unread') return mergeRequest
  const author = mergeRequest.is === 'read' ? mergeRequest.body.author?.id : undefined
  if (author !== undefined && author === view.event?.actor.id) return true
  const member = view.source(sources.actorAccess)
  if (member.is === 'unread') return member
  if (member.is === 'read' && Number(member.body.access_level) >= GUEST) return true
  return { is: 'absent', reason: 'who wrote the note is neither a member of the project nor the author' }
}

function readCommand(view: FactView): FactValue {
  // The delivery itself says that there is none: no call is spent on it.
  if (view.event?.note?.mentions === false) return known(names, [])
  const note = noteOf(view)
  if (note.is !== 'read') return note
  const words = commandsIn(note.body, view.bot.username)
  const may = words.length === 0 ? true : mayCommand(view)
  return may === true ? known(names, words) : may
}

export const command: Fact<string[]> = {
  doc: 'The commands to the bot in the note of a member or of the author: words behind its name at the start of a line of a top-level paragraph.',
  type: names,
  ofEvents: true,
  from: [sources.note.name, sources.actorAccess.name, sources.mergeRequest.name],
  read: readCommand,
  readPublic: (view) => readPublicNote(view, readCommand),
  example: 'command: [merge]',
  toFix: (expected) => `a note with the command ${expected}`,
}
